"""Closed: everything that followed from closing memories or voiding their evidence."""

from dataclasses import dataclass, field
from uuid import UUID


@dataclass(slots=True, kw_only=True)
class Closed:
    """What was changed, in order, seen by the caller or not.

    retracted: each with the status that it had. revived: copy and original of what is believed again.
    weakened: what has lost some of its evidence, and is to be rebuilt.
    """

    retracted: list[tuple[UUID, str]] = field(default_factory=list)
    revived: list[tuple[UUID, UUID]] = field(default_factory=list)
    weakened: list[UUID] = field(default_factory=list)

    def add(self, more: "Closed") -> None:
        """Add what followed after it."""
        self.retracted += more.retracted
        self.revived += more.revived
        self.weakened += more.weakened
