"""The one interface of every large language model."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model answered; tokens as it counted them, 0 where it did not say."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class LLM(ABC):
    """A model that answers in JSON. Raises Unavailable, Rejected or Refused (backends.errors)."""

    model: str
    """Name and version of the model."""
    provider: str
    """Who runs it: the host it is reached at."""

    @abstractmethod
    def complete(
        self, system: str, user: str, *, schema: Mapping[str, Any], timeout_s: float | None = None
    ) -> Completion:
        """Answer once. schema: of the JSON that is wanted; a server may not hold its model to it.

        timeout_s: None: as long as a model may take that nobody waits for.
        """


TOKENS_MAX = 2**31 - 1


def tokens(said: Any) -> int:
    """Return a count of tokens as a server said it: none for what is no number, and never more than can be kept."""
    return min(max(int(said), 0), TOKENS_MAX) if isinstance(said, int | float) and isfinite(said) else 0
