"""Elasticsearch's inference endpoints, asked by the site's own credential: tenants' keys have no right to them."""

import math
from collections.abc import Sequence

from elasticsearch import Elasticsearch

from backends.errors import Rejected, Unavailable


def embedded(client: Elasticsearch, endpoint: str, text: str) -> list[float]:
    """Return the vector of a text by a text_embedding endpoint. Raises ApiError; Unavailable for an odd answer."""
    answer = client.inference.inference(task_type="text_embedding", inference_id=endpoint, input=[text])
    try:
        vector = [float(x) for x in answer["text_embedding"][0]["embedding"]]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Unavailable(f"the inference endpoint {endpoint} answered something that holds no vector") from error
    if not vector or not all(map(math.isfinite, vector)):
        raise Rejected(f"the inference endpoint {endpoint} returned a vector without a direction")
    return vector


def reranked(client: Elasticsearch, endpoint: str, question: str, texts: Sequence[str]) -> list[float]:
    """Return the score of each text, in their order, by a rerank endpoint. Raises ApiError; Unavailable as above."""
    answer = client.inference.rerank(inference_id=endpoint, query=question, input=list(texts))
    try:
        found = {int(one["index"]): float(one["relevance_score"]) for one in answer["rerank"]}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Unavailable(f"the inference endpoint {endpoint} answered something that holds no scores") from error
    if sorted(found) != list(range(len(texts))) or not all(map(math.isfinite, found.values())):
        raise Unavailable(f"the inference endpoint {endpoint} did not score every text once; it must have no top_n")
    return [found[index] for index in range(len(texts))]
