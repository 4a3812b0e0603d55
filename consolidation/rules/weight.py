"""Weight: whether a statement is sure, trusted and weighty enough for what it would do to another."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from consolidation.rules.candidate import Candidate, Stance
from consolidation.rules.judgement import Held, Judgement, Ruling
from memories.trust import Trust

FLOOR = 0.7
"""Below it a candidate is pending and supersedes nothing. Source: seed S4, 2.2."""
RELIABILITY: Mapping[str, float] = {"user": 1.0, "api": 1.0, "import": 0.9, "tool": 0.7, "web": 0.5, "assistant": 0.5}
"""Of a source, in [0, 1]. Source: seed S4, 3.2 (what the person said counts more than what was inferred)."""
FRESH = 1.5
CHANGED = 3.0
"""How much more the newer statement counts; CHANGED where it says that something changed. Set by us."""
FREQUENCY_STEP, FREQUENCY_MAX = 0.1, 6

_CLOSING = {Ruling.REFINE, Ruling.SUPERSEDE, Ruling.DENY, Ruling.FORGET}
"""What closes the memory that is met."""


def if_sure(candidate: Candidate, judged: Judgement) -> Judgement:
    """Return a judgement that a candidate below the floor may have: nothing gives way to it."""
    if candidate.confidence >= FLOOR or judged.ruling in {Ruling.DROP, Ruling.PEND}:
        return judged
    if judged.ruling is Ruling.REPEAT:
        return Judgement(ruling=Ruling.DROP, met=judged.met, why="known")
    return Judgement(ruling=Ruling.PEND, met=judged.met, why="unsure")


def if_trusted(judged: Judgement, trust: Trust) -> Judgement:
    """Return a judgement that a candidate of some trust may have about what it meets."""
    met = judged.met
    if met is None or _may_close(met, trust) or judged.ruling not in _CLOSING:
        return replace(judged, also=tuple(one for one in judged.also if _may_close(one, trust)))
    ruling = Ruling.DROP if judged.ruling is Ruling.FORGET else Ruling.CONTEST
    return Judgement(ruling=ruling, met=met, why="less_trusted")


def _may_close(met: Held, trust: Trust) -> bool:
    return trust.rank >= min(met.trust.rank, Trust.USER.rank)


def if_newer(candidate: Candidate, one: Held, said_at: datetime, ruling: Ruling, why: str) -> Judgement:
    """Weigh a candidate against what it would take the place of: confidence, freshness, source and frequency."""
    if said_at < one.said_at:
        stale = candidate.stance is not Stance.HOLDS or ruling is Ruling.REFINE
        return Judgement(ruling=Ruling.DROP if stale else Ruling.PAST, met=one, why="older")
    times = min(one.frequency, FREQUENCY_MAX)
    old = one.confidence * RELIABILITY.get(one.source, 1.0) * (1 + FREQUENCY_STEP * (times - 1))
    new = candidate.confidence * (CHANGED if candidate.changes else FRESH)
    if new < old:
        return Judgement(ruling=Ruling.CONTEST, met=one, why="outweighed")
    return Judgement(ruling=ruling, met=one, why=why)
