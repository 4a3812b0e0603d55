"""Question: what a caller asks of recall."""

from dataclasses import dataclass
from datetime import datetime

from backends.search.filters import Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question; None restricts nothing.

    top_k: how many memories at most, 1 to 100. overlay: also look at what the engine cannot show yet.
    include_shared: also what belongs to no user; the catalog always does and has its own switch.
    memory_types: kinds by name. include_superseded: also what was believed before.
    include_archived: also what was forgotten, by its stub.
    threshold: the least score of what is answered; None: as the policy says.
    as_of: what was believed then. valid_at: what is true then. filters: what else must hold of each row.
    """

    query: str
    user_id: str | None = None
    top_k: int = 10
    memory_types: tuple[str, ...] | None = None
    include_catalog: bool = True
    include_superseded: bool = False
    include_archived: bool = False
    include_shared: bool = True
    as_of: datetime | None = None
    valid_at: datetime | None = None
    filters: Filter | None = None
    overlay: bool = True
    threshold: float | None = None

    def judged_at(self, now: datetime) -> datetime:
        """Return the one instant at which expiry and age are judged."""
        return self.valid_at or self.as_of or now
