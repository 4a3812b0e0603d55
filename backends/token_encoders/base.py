"""The one interface of every model that gives each token of a text a vector of its own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.float32]
"""Shape (tokens, dimensions), rows L2-normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTokens:
    """A question's tokens. words: of each token, the word it is a piece of, as written. vectors: one row a token."""

    words: tuple[str, ...]
    vectors: Tokens


class TokenEncoder(ABC):
    """A model for late interaction: every word of a question looks for its best counterpart in a text.

    Raises Unavailable or Rejected (backends.errors).
    """

    model: str
    """Name and version of the model; tokens of two models are never compared."""

    @abstractmethod
    def reads(self, text: str) -> bool:
        """Say whether the model knows the language of a text, as far as its letters tell."""

    @abstractmethod
    def passage(self, text: str) -> Tokens:
        """Encode a text to be found; a long one is cut at the model's limit."""

    @abstractmethod
    def question(self, text: str) -> AskedTokens:
        """Encode a question."""
