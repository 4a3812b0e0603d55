"""The dense leg's other half: long documents by the vectors of their passages, which are nested in them.

The filter of a kNN clause over nested vectors is about the documents they are in, and each document comes once, with
its best passage.
"""

from collections.abc import Sequence
from uuid import UUID

from backends.search.base import Query
from backends.search.elasticsearch.found import Item, object_id
from backends.search.elasticsearch.queries import candidates_filter, dense, document_ids
from backends.search.elasticsearch.times import Clause
from backends.search.names import PASSAGES, VECTOR

FIELD = f"{PASSAGES}.{VECTOR}"


def near_passages(query: Query) -> Clause:
    """Return the leg; its filter is the dense leg's."""
    body = dense(query)
    return {**body, "knn": {**body["knn"], "field": FIELD}}


def passages_of(query: Query, ids: Sequence[UUID]) -> Clause:
    """Return the measure of the best passage of these documents, exact; the score is the cosine and 1.

    kNN would do for so few documents only by walking the graph: it counts passages, not documents.
    """
    script = {
        "source": f"cosineSimilarity(params.asked, '{FIELD}') + 1",
        "params": {"asked": [float(x) for x in query.vector or ()]},
    }
    measured = {"script_score": {"query": {"exists": {"field": FIELD}}, "script": script}}
    best = {"nested": {"path": PASSAGES, "score_mode": "max", "query": measured}}
    among = [*candidates_filter(query), {"ids": {"values": document_ids(query.reach, ids)}}]
    body = {key: held for key, held in dense(query, ids=ids).items() if key != "knn"}
    return {**body, "query": {"bool": {"must": [best], "filter": among}}}


def nearest(wholes: Sequence[Item], parts: Sequence[Item], *, limit: int) -> set[UUID]:
    """Return which documents of both halves are the nearest, each by its better score."""
    best: dict[UUID, float] = {}
    for hit in (*wholes, *parts):
        best[object_id(hit)] = max(float(hit["_score"]), best.get(object_id(hit), 0.0))
    return set(sorted(best, key=lambda one: (-best[one], one))[:limit])
