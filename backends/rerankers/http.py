"""A reranker behind HTTP: the shape of Jina's and Cohere's `rerank`, or of Text Embeddings Inference.

Source: API references of Jina (v1/rerank), Cohere (v2/rerank) and Hugging Face TEI (/rerank).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backends.errors import Unavailable
from backends.json_server import JsonServer
from backends.rerankers.base import Reranker

TIMEOUT_S = 3.0
"""An answer waits for it; without it the fused order stays."""
TEXT_MAX_LENGTH = 4_000


class Shape(StrEnum):
    """How a server is asked. DOCUMENTS: Jina, Cohere, vLLM, Infinity, llama.cpp; TEXTS: Text Embeddings Inference."""

    DOCUMENTS = "documents"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the model is. url: up to and without `/rerank`. api_key: empty = none is sent."""

    url: str
    model: str
    shape: Shape = Shape.DOCUMENTS
    api_key: str = ""


class HttpReranker(Reranker):
    """A model on another server."""

    def __init__(self, server: Server) -> None:
        self.model = server.model
        self._shape = server.shape
        self._json = JsonServer(server.url, api_key=server.api_key, what="reranker", setting="RERANKER_API_KEY")

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the scores in the order of the texts."""
        if not texts:
            return []
        cut = [text[:TEXT_MAX_LENGTH] for text in texts]
        answer = self._json.post("rerank", self._body(question, cut), timeout_s=TIMEOUT_S)
        try:
            found = self._read(answer)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise Unavailable("the reranker answered something that holds no scores") from error
        if sorted(found) != list(range(len(texts))) or not all(map(math.isfinite, found.values())):
            raise Unavailable("the reranker did not score every text once")
        return [found[index] for index in range(len(texts))]

    def _body(self, question: str, texts: Sequence[str]) -> Mapping[str, Any]:
        if self._shape is Shape.TEXTS:
            return {"query": question, "texts": list(texts), "truncate": True}
        return {"model": self.model, "query": question, "documents": list(texts), "top_n": len(texts)}

    def _read(self, answer: Any) -> dict[int, float]:
        if self._shape is Shape.TEXTS:
            return {int(one["index"]): float(one["score"]) for one in answer}
        return {int(one["index"]): float(one["relevance_score"]) for one in answer["results"]}
