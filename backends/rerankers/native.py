"""A reranker that the search engine itself offers: one of Elasticsearch's inference endpoints.

The text that is sent is what the record confirmed, and it is sent by the site's own credential: a tenant's key has no
right to inference, nor to the point in time on which the engine's own retriever of that name stands.
"""

from collections.abc import Sequence

from backends.rerankers.base import Reranker
from backends.search.native import HasNative

TEXT_MAX_LENGTH = 4_000


class NativeReranker(Reranker):
    """A model behind the engine that was asked for one."""

    def __init__(self, engine: HasNative) -> None:
        self.model = f"elasticsearch:{engine.native.rerank}"
        self._engine = engine

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the scores in the order of the texts."""
        if not texts:
            return []
        return self._engine.rerank(question, [text[:TEXT_MAX_LENGTH] or " " for text in texts])
