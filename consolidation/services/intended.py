"""Intended: what came of a wish about the memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from consolidation.models import Receipt
from consolidation.models.receipt import Act
from consolidation.rules.intents.asked import Asked
from memories.models import Memory
from memories.services.answer_recall import Recalled
from tenants.scope import Scope


class State(StrEnum):
    """What came of an intent. ASK: nothing was done, since it is not clear which memory is meant."""

    DONE = "done"
    NOTHING = "nothing"
    ASK = "ask"
    UNCLEAR = "unclear"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """What was done, or would be. rows: the memories that acts name, as they are then. offered: which could be meant.

    exact: all of these match the words. said_in: turns' memories, summaries that still say it among other things.
    subject_id: whose memory. replayed: it was done before.
    """

    asked: Asked
    state: State
    acts: Sequence[Act] = ()
    rows: dict[UUID, Memory] = field(default_factory=dict)
    offered: Sequence[Memory] = ()
    exact: bool = False
    said_in: Sequence[UUID] = ()
    recalled: Recalled | None = None
    receipt: Receipt | None = None
    subject_id: UUID | None = None
    replayed: bool = False


def rows_of(scope: Scope, acts: Iterable[Act]) -> dict[UUID, Memory]:
    """Return the memories that acts name, as far as the scope, which is open, sees them."""
    named = {row for act in acts for row in (act.row, act.other) if row is not None}
    rows = Memory.objects.filter(id__in=named, memory_type__in=scope.kinds)
    return {row.id: row for row in rows.select_related("subject", "entity", "turn", "session")}
