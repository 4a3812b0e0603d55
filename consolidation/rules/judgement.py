"""What the judge looks at, and what it says."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from consolidation.rules.candidate import Stance
from memories.trust import Trust


class Ruling(StrEnum):
    """What to do with a candidate."""

    ADD = "add"
    REPEAT = "repeat"
    REFINE = "refine"
    SUPERSEDE = "supersede"
    DENY = "deny"
    PAST = "past"
    PEND = "pend"
    CONTEST = "contest"
    FORGET = "forget"
    DROP = "drop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """An active memory as the judge sees it. key: empty where nobody said what it is about; then its text tells.

    said_at: when it was last said. source: the most reliable one. trust: of the memory. confidence in [0, 1];
    frequency ≥ 1.
    """

    id: UUID
    text: str
    predicate: str
    slot: str | None
    key: str
    stance: Stance
    valid_from: datetime
    said_at: datetime
    confidence: float
    frequency: int
    source: str
    trust: Trust = Trust.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A ruling, the memory it is about, and why, as a code. also: what gives way beside it."""

    ruling: Ruling
    met: Held | None = None
    why: str = ""
    also: tuple[Held, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearby:
    """A memory that is near to a candidate. cosine: of the two texts, in [-1, 1]."""

    held: Held
    cosine: float
