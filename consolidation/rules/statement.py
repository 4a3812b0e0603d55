"""Statement: what a rule reads in one clause, before it has its words in the turn."""

from dataclasses import dataclass
from datetime import datetime

from consolidation.rules.candidate import Stance

SURE = 0.9
UNSURE = 0.5
"""Of what is hedged; below the floor, so it is pending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One statement; the fields are those of a Candidate. text: with {who} where the person is named."""

    text: str
    predicate: str
    value: str
    rule: str
    stance: Stance = Stance.HOLDS
    slot: str | None = None
    category: str = ""
    importance: float = 0.5
    confidence: float = SURE
    replaces: str = ""
    changes: bool = False
    valid_from: datetime | None = None
    ttl_days: int | None = None
    may_be_hedged: bool = False
    only_if_met: bool = False
