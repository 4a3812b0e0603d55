"""Candidate: one statement about the person who spoke, found in a turn."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Stance(StrEnum):
    """What a statement does with its value.

    HOLDS: it is so. LACKS: it is not so. ENDED: it was so and is no longer. NEVER: it never was so. PAST: it was so,
    and what is now is not said. FORGET: it shall no longer be remembered.
    """

    HOLDS = "holds"
    LACKS = "lacks"
    ENDED = "ended"
    NEVER = "never"
    PAST = "past"
    FORGET = "forget"


ENDS, LEFT = "ends", "left"
"""Predicates of what ended or was left without a word of what it was: that is known from what it meets."""

SAYS = "says"
"""Predicate of what is kept in the speaker's own words, since no rule reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement.

    text: a sentence in the turn's own language, in the third person. value: what it is about, as it was said.
    key: the value as it is compared. slot: None where many values may hold at once. replaces: the key of what it
    takes the place of, where the words say so. changes: the words say that it was otherwise before.
    start, end: its words in the turn, half-open, in code points. rule: which rule found it.
    only_if_met: it is kept only where it takes the place of something known. denies: what it replaces was never true.
    around: the clause with the one before it, of what a rule read.
    confidence, importance: in [0, 1]. valid_from: since when, in the world; None = since it was said.
    """

    text: str
    predicate: str
    value: str
    key: str
    rule: str
    start: int
    end: int
    stance: Stance = Stance.HOLDS
    slot: str | None = None
    category: str = ""
    confidence: float = 0.9
    importance: float = 0.5
    replaces: str = ""
    changes: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    ttl_days: int | None = None
    only_if_met: bool = False
    denies: bool = False
    around: str = ""


INSTRUCTION = "instruction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What a turn yields. why: a code for a turn that yields nothing, or that instructs; empty otherwise."""

    candidates: tuple[Candidate, ...] = ()
    why: str = ""

    @property
    def suspect(self) -> bool:
        """Say whether the turn tells the memory what to do: what it yields is for a person to look at."""
        return self.why == INSTRUCTION
