"""What may be answered with, worked out from the stories alone: no line of it is the product's.

Believed: from the end of a fact's stage until its successor's. True: from valid_from until valid_to, or until the
successor's truth begins; what a harsh contradiction replaced never was true.
"""

from datetime import datetime, timedelta
from enum import Enum

from benchmarks.lifecycle.stories import Ask, Fact, Stories


class Verdict(Enum):
    """Why a fact may be in an answer, or may not."""

    MAY = "may"
    NOT_YET = "not yet believed"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    NOT_TRUE = "not true then"


def judge(stories: Stories, fact: Fact, ask: Ask, *, written_at: datetime, now: datetime) -> Verdict:
    """Say whether a fact may be among the answers to a question; written_at: of the fact."""
    successor = stories.successor.get(fact.id)
    believed = ask.as_of is None or fact.stage <= ask.as_of
    closed = successor is not None and (ask.as_of is None or successor.stage <= ask.as_of)
    if not believed:
        return Verdict.NOT_YET
    valid_at = _valid_at(ask, now)
    # The moment of an as_of lies within this run, so that nothing has expired between it and now.
    if _expired(fact, written_at, at=valid_at or now):
        return Verdict.EXPIRED
    if valid_at is not None:
        return _judge_truth(fact, successor if closed else None, ask, valid_at=valid_at, written_at=written_at)
    if closed:
        return Verdict.MAY if ask.include_superseded else Verdict.SUPERSEDED
    if fact.valid_to is not None and fact.valid_to <= now and not ask.include_superseded:
        return Verdict.EXPIRED
    return Verdict.MAY


def _valid_at(ask: Ask, now: datetime) -> datetime | None:
    if ask.valid_in_days is not None:
        return now + timedelta(days=ask.valid_in_days)
    return ask.valid_at


def _expired(fact: Fact, written_at: datetime, *, at: datetime) -> bool:
    return fact.lives_days is not None and at >= written_at + timedelta(days=fact.lives_days)


def _judge_truth(
    fact: Fact, successor: Fact | None, ask: Ask, *, valid_at: datetime, written_at: datetime
) -> Verdict:
    began = fact.valid_from or written_at
    if valid_at < began or (fact.valid_to is not None and valid_at >= fact.valid_to):
        return Verdict.NOT_TRUE
    if successor is None or ask.include_superseded:
        return Verdict.MAY
    if successor.contradiction == "harsh":
        return Verdict.SUPERSEDED
    ends = successor.valid_from
    return Verdict.MAY if ends is not None and valid_at < ends else Verdict.SUPERSEDED
