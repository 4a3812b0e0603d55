"""The one interface of every cross-encoder."""

from abc import ABC, abstractmethod
from collections.abc import Sequence


class Reranker(ABC):
    """A model that reads question and text together. Raises Unavailable, Rejected or Refused (backends.errors)."""

    model: str

    @abstractmethod
    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers the question, on the model's own scale; higher is better."""
