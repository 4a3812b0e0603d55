"""Generations: how an engine's index is rebuilt while it is written to and searched."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from backends.search.changes import Change, IndexDefinition, Outcome


class Rebuilt(ABC):
    """An engine whose indexes can be made anew. Errors as of every engine."""

    @abstractmethod
    def begin_rebuild(self, definition: IndexDefinition) -> bool:
        """Begin a new generation of a kind, or go on with the one begun; from its return on, apply writes to both.

        An engine that rebuilds in place has one generation.
        Returns whether the generation is new, and empty.
        Raises Rejected, when an old generation still stands.
        """

    @abstractmethod
    def backfill(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write documents into the generation that is being built, or anew in place; as apply, but not below.

        A document that is held at a later version stays as it is (STALE).
        """

    @abstractmethod
    def swap(self, kind: str) -> None:
        """Have searches read the new generation, all at once; the old one stays and is written to, until drop_old.

        Does nothing when that was done.
        """

    @abstractmethod
    def drop_old(self, kind: str) -> bool:
        """Remove the old generation of a kind, and say whether there was one."""
