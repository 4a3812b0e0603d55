"""The one interface of every embedding model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (texts, dimensions), rows L2-normalised."""


class Embedder(ABC):
    """A model that turns text into vectors. Raises Unavailable or Rejected (backends.errors)."""

    model: str
    """Name and version of the model; vectors of two models are never compared."""
    dimensions: int
    in_process: bool
    """True where a short text costs milliseconds and no network: record may embed it before it answers."""

    @abstractmethod
    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts to be found; a long text is cut at the model's limit."""

    @abstractmethod
    def query(self, text: str) -> NDArray[np.float32]:
        """Embed one question; shape (dimensions,), L2-normalised."""
