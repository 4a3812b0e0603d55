"""Ranking: everything between the legs' numbers and the answer, computed from values alone.

A recall and its replay run the same code over the same values, so an old answer can be computed again, bit for bit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from backends.search.base import Candidate
from memories.fusion import Ranked, Signals, fuse, gains, literal_matches
from memories.lifting import lifts
from memories.relevance import Evidence, relevance
from memories.weighing import Asked, Traits, shares_of, weigh
from memories.weights import Weights
from tenants.policy import Policy

NOT_CONFIRMED, COPY, REPEAT, TOO_LOW, BEYOND = (
    "not_confirmed",
    "copy",
    "near_duplicate",
    "below_threshold",
    "beyond_top_k",
)
"""Why a candidate is not in the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """What the legs brought, and what the record says of it.

    traits: of the rows that the record confirms; a candidate without any is not answered with.
    """

    candidates: tuple[Candidate, ...]
    signals: Signals
    traits: Mapping[UUID, Traits]
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What reading the best rows told.

    repeats: a row -> the better placed one that says the same. copies: rows that are a restored copy of a
    better placed one, or the other way round. evidence: of the rows at the head. instead: a row -> the worse placed
    one that takes its place, since it is what the row is a copy of.
    """

    repeats: Mapping[UUID, UUID] = field(default_factory=dict)
    copies: frozenset[UUID] = frozenset()
    evidence: Mapping[UUID, Evidence] = field(default_factory=dict)
    instead: Mapping[UUID, UUID] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One candidate in its weighed place. weights: as memories.weighing names them. total: raw score with weights."""

    ranked: Ranked
    weights: Mapping[str, float]
    total: float

    @property
    def id(self) -> UUID:
        """Return the row's id."""
        return self.ranked.candidate.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The answer. chosen: best first, with their scores. dropped: the others, best first, each with its reason."""

    chosen: tuple[tuple[Placed, float], ...]
    dropped: tuple[tuple[Placed, str], ...]


def place(pool: Pool, *, weights: Weights, policy: Policy) -> list[Placed]:
    """Return the pool in its final order: fused, then weighed; what the record did not confirm has no weights.

    A weight of w moves a memory like ln(w) of fused score, so weights multiply the score's exponential.
    """
    placed = []
    shares = shares_of(policy)
    for ranked in fuse(pool.candidates, signals=replace(pool.signals, rewrite={}), weights=weights):
        traits = pool.traits.get(ranked.candidate.id)
        of_one = weigh(traits, pool.asked, shares) if traits is not None else {}
        total = ranked.raw_score + math.fsum(map(math.log, of_one.values()))
        placed.append(Placed(ranked=ranked, weights=of_one, total=total))
    return sorted(_lifted(placed, pool, weights), key=lambda one: (-one.total, one.id))


def _lifted(placed: list[Placed], pool: Pool, weights: Weights) -> list[Placed]:
    """Lift what other wordings found, now that everything else is weighed: so no weight carries it past the bar."""
    if not pool.signals.rewrite or not weights.rewrite:
        return placed
    literal = literal_matches(pool.candidates, pool.signals) & pool.traits.keys()
    totals = {one.id: one.total for one in placed}
    raw = {one.id: one.ranked.raw_score for one in placed}
    gained = lifts(totals, gains(raw, pool.signals, weights), literal)
    return [_with_lift(one, gained[one.id]) if one.id in gained else one for one in placed]


def _with_lift(one: Placed, gained: float) -> Placed:
    parts = {**one.ranked.parts, "rewrite": gained}
    ranked = replace(one.ranked, parts=parts, raw_score=math.fsum(parts.values()))
    return replace(one, ranked=ranked, total=one.total + gained)


def choose(placed: list[Placed], pool: Pool, read: Read, *, top_k: int, threshold: float) -> Outcome:
    """Return the answer: the first top_k that the record confirms, that repeat nothing, and reach the threshold.

    A memory's score is its relevance, and never less than that of one behind it: the order says which is better, the
    scores only how sure that is.
    """
    kept: list[Placed] = []
    dropped: list[tuple[Placed, str]] = []
    placed = exchanged(placed, read.instead)
    for one in placed:
        reason = _why_not(one, pool, read)
        if reason is None:
            kept.append(one)
        else:
            dropped.append((one, reason))
    scores = _scores(kept, read)
    chosen: list[tuple[Placed, float]] = []
    for one, score in zip(kept, scores, strict=True):
        if score < threshold:
            dropped.append((one, TOO_LOW))
        elif len(chosen) == top_k:
            dropped.append((one, BEYOND))
        else:
            chosen.append((one, score))
    order = {one.id: index for index, one in enumerate(placed)}
    return Outcome(chosen=tuple(chosen), dropped=tuple(sorted(dropped, key=lambda pair: order[pair[0].id])))


def exchanged(placed: Sequence[Placed], instead: Mapping[UUID, UUID]) -> list[Placed]:
    """Return an order in which each row that another one takes the place of has changed places with it."""
    order = list(placed)
    at = {one.id: index for index, one in enumerate(order)} if instead else {}
    for first, other in instead.items():
        if first in at and other in at:
            order[at[first]], order[at[other]] = order[at[other]], order[at[first]]
    return order


def _why_not(one: Placed, pool: Pool, read: Read) -> str | None:
    if one.id not in pool.traits:
        return NOT_CONFIRMED
    if one.id in read.copies:
        return COPY
    return REPEAT if one.id in read.repeats else None


def _scores(kept: list[Placed], read: Read) -> list[float]:
    """Return the score of each: the best relevance from it to the end of the head; behind that, the last one's."""
    known = [relevance(read.evidence[one.id]) if one.id in read.evidence else None for one in kept]
    best = next((score for score in reversed(known) if score is not None), 0.0)
    scores: list[float] = []
    for score in reversed(known):
        best = best if score is None else max(best, score)
        scores.append(best)
    return scores[::-1]
