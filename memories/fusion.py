"""Fusion: from the legs' numbers to one order, linear on the pool.

Source: design note on recall, section 3, recipes B and C, and the profile for chats with an assistant.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from backends.search.base import Candidate
from memories.lifting import lifts
from memories.weights import Weights

RARITY_MAX = 3.0
"""Chinese names are several pairs of characters, so a few rare terms may be one name; more count no more."""
LITERAL_BEST = 3
"""The best by the question's own words keep their places before what other wordings find."""
FRESH_MAX = 20
"""Candidates let in with nothing to measure them by: the newest ones, said a moment ago."""

Numbers = list[float | None]
"""One for each candidate of a pool, by place: a dictionary by id would spend more on hashes than on sums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What is known of a pool beside the legs' numbers.

    author: the participant asked about. rarities: the question's terms -> how telling each is.
    graph: how near a row is to the entities named, in (0, 1]. late, rerank: scores of the head, by
    late interaction and by a cross-encoder; what is not scored counts as the lowest that is.
    rewrite: the best fused score that other wordings of the question gave a row. added: rows here by these alone.
    """

    author: str | None = None
    rarities: Mapping[str, float] = field(default_factory=dict)
    graph: Mapping[UUID, float] = field(default_factory=dict)
    late: Mapping[UUID, float] = field(default_factory=dict)
    rerank: Mapping[UUID, float] = field(default_factory=dict)
    rewrite: Mapping[UUID, float] = field(default_factory=dict)
    added: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One candidate in its fused place, with everything that put it there.

    parts: what each signal added to raw_score: lexical, dense, semantic, late, rerank, own, graph, session, rare,
    rewrite; a signal that was not there is left out. lexical_rank, dense_rank, semantic_rank: from 1 within the pool;
    None: not in that leg.
    """

    candidate: Candidate
    lexical_rank: int | None
    dense_rank: int | None
    parts: Mapping[str, float]
    raw_score: float
    semantic_rank: int | None = None


def pick(
    candidates: Iterable[Candidate],
    *,
    author: str | None,
    own_bonus: float,
    limit: int,
    also: Collection[UUID] = (),
) -> list[Candidate]:
    """Return the pool: the best `limit` by lexical score (own_bonus added), by cosine and by semantic, and also.

    What has neither number is too new for a vector and shares no word with the question: the first FRESH_MAX of those
    are let in, as they come.
    """
    listed = list(candidates)
    matching = [candidate for candidate in listed if candidate.lexical > 0]
    matching.sort(key=lambda c: (not c.rare_terms, -(c.lexical + own_bonus * (c.author == author)), c.id))
    near = sorted((c for c in listed if c.dense is not None), key=lambda c: (-(c.dense or 0.0), c.id))
    meant = sorted((c for c in listed if c.semantic is not None), key=lambda c: (-(c.semantic or 0.0), c.id))
    unknown = [c for c in listed if c.lexical == 0 and c.dense is None and c.semantic is None]
    wanted = [c for c in listed if c.id in also]
    chosen = {c.id: c for c in [*matching[:limit], *near[:limit], *meant[:limit], *unknown[:FRESH_MAX], *wanted]}
    return list(chosen.values())


def fuse(pool: Sequence[Candidate], *, signals: Signals, weights: Weights) -> list[Ranked]:
    """Order a pool, best first, ties by id.

    s1 = z(lexical) + dense * z(cosine) + semantic * z(semantic) + late * z(late) + rerank * z(rerank)
    + own * [by the participant asked about] + graph * nearness; s = s1 + session * max of s1 over the pool's
    candidates of the same session, + the bonus of rare terms in the turn. A missing cosine counts as the pool's mean;
    with late interaction it has a weight of its own. Then what other wordings found is lifted (memories.lifting);
    what they added changes nobody else's score.
    """
    added = [c.id in signals.added for c in pool] if signals.added else [False] * len(pool)
    dense = weights.dense_with_late if signals.late else weights.dense
    legs = (
        ("lexical", 1.0, _z_scores([c.lexical for c in pool], apart=added), 0.0),
        ("dense", dense, _z_scores([c.dense for c in pool], apart=added), 0.0),
        ("semantic", weights.semantic, _z_scores([c.semantic for c in pool], apart=added), 0.0),
        ("late", weights.late, *_head(pool, signals.late)),
        ("rerank", weights.rerank, *_head(pool, signals.rerank)),
    )
    used = [leg for leg in legs if leg[2]]
    parts: list[dict[str, float]] = []
    for index, c in enumerate(pool):
        of_one = {name: weight * (missing if (x := z[index]) is None else x) for name, weight, z, missing in used}
        if signals.author is not None and c.author == signals.author:
            of_one["own"] = weights.own
        if signals.graph and c.id in signals.graph:
            of_one["graph"] = weights.graph * signals.graph[c.id]
        parts.append(of_one)
    _add_session(pool, parts, added, weights)
    _add_rare(pool, parts, signals, weights)
    _add_lifts(pool, parts, signals, weights)
    lexical_ranks = _ranks(pool, [c.lexical if c.lexical > 0 else None for c in pool])
    dense_ranks = _ranks(pool, [c.dense for c in pool])
    semantic_ranks = _ranks(pool, [c.semantic for c in pool])
    ranked = [
        Ranked(
            candidate=c,
            lexical_rank=lexical_ranks.get(index),
            dense_rank=dense_ranks.get(index),
            semantic_rank=semantic_ranks.get(index),
            parts=parts[index],
            raw_score=math.fsum(parts[index].values()),
        )
        for index, c in enumerate(pool)
    ]
    return sorted(ranked, key=lambda r: (-r.raw_score, r.candidate.id))


def _add_session(
    pool: Sequence[Candidate], parts: Sequence[dict[str, float]], added: Sequence[bool], weights: Weights
) -> None:
    """Add each candidate's share of its session's best; what stands alone is a session of its own."""
    first = [math.fsum(of_one.values()) for of_one in parts]
    numbers: dict[UUID, int] = {}
    sessions = [-1 if c.session_id is None else numbers.setdefault(c.session_id, len(numbers)) for c in pool]
    best = [-math.inf] * len(numbers)
    for session, score, is_added in zip(sessions, first, added, strict=True):
        if session >= 0 and not is_added:
            best[session] = max(best[session], score)
    for of_one, session, score in zip(parts, sessions, first, strict=True):
        of_one["session"] = weights.session * (score if session < 0 else max(best[session], score))


def _add_rare(
    pool: Sequence[Candidate], parts: Sequence[dict[str, float]], signals: Signals, weights: Weights
) -> None:
    """Add the bonus of rare terms. A code counts in full; of words, those share it that have any rare one.

    A word that few turns have is often a common one that nobody happened to say: where several turns each have
    another, none of them stands out. The bonus in full for each cost .03 R@5 on LoCoMo.
    """
    words: dict[int, float] = {}
    codes: dict[int, float] = {}
    rare = {
        index: found
        for index, c in enumerate(pool)
        if c.rare_terms and (found := [term for term in c.rare_terms if signals.rarities.get(term)])
    }
    written = {index: frozenset(filter(is_code, found)) for index, found in rare.items()}
    for index, found in rare.items():
        for term in found:
            held = codes if is_code(term) else words
            held[index] = held.get(index, 0.0) + signals.rarities[term]
        if index in codes:  # parts of one code are rarer together than each; all that have one are in the pool
            together = sum(1 for other in written.values() if other >= written[index])
            codes[index] = max(codes[index], 1 / together)
    total = math.fsum(words.values())
    for index in codes.keys() | words.keys():
        of_words = words.get(index, 0.0)
        share = of_words / total if total else 0.0
        bonus = max(_bonus(codes.get(index, 0.0)), share * _bonus(of_words))
        if bonus:
            parts[index]["rare"] = weights.rare * bonus


def literal_matches(pool: Sequence[Candidate], signals: Signals) -> frozenset[UUID]:
    """Return what no other wording may displace: what has a rare term of the question, and its best by words."""
    rare = {c.id for c in pool if any(signals.rarities.get(term) for term in c.rare_terms)}
    matching = sorted((c for c in pool if c.lexical > 0), key=lambda c: (-c.lexical, c.id))
    return frozenset({*rare, *(c.id for c in matching[:LITERAL_BEST])})


def _add_lifts(
    pool: Sequence[Candidate], parts: Sequence[dict[str, float]], signals: Signals, weights: Weights
) -> None:
    """Add what other wordings lift."""
    if not signals.rewrite or not weights.rewrite:
        return
    of = {c.id: of_one for c, of_one in zip(pool, parts, strict=True)}
    scores = {object_id: math.fsum(of_one.values()) for object_id, of_one in of.items()}
    literal = literal_matches(pool, signals)
    for object_id, gained in lifts(scores, gains(scores, signals, weights), literal).items():
        of[object_id]["rewrite"] = gained


def gains(scores: Mapping[UUID, float], signals: Signals, weights: Weights) -> dict[UUID, float]:
    """Return what rows would gain by other wordings: how far a share of their score there is above the question's."""
    found = {object_id: weights.rewrite * there for object_id, there in signals.rewrite.items()}
    return {object_id: share - scores[object_id] for object_id, share in found.items() if object_id in scores}


def is_code(term: str) -> bool:
    """Say whether a term is written as no word is: with a digit in it."""
    return any(character.isdigit() for character in term)


def _bonus(rarity: float) -> float:
    """Return a rarity with what is over 1 counted for a quarter, up to 1.5."""
    return min(rarity, 1.0) + 0.25 * (min(max(rarity, 1.0), RARITY_MAX) - 1.0)


def _head(pool: Sequence[Candidate], scores: Mapping[UUID, float]) -> tuple[Numbers, float]:
    """Return the z-scores of those that were scored, and what the others count as."""
    z = _z_scores([scores.get(c.id) for c in pool]) if scores else []
    return z, min((x for x in z if x is not None), default=0.0)


def _z_scores(values: Numbers, *, apart: Sequence[bool] = ()) -> Numbers:
    """Return (x - mean) / (population standard deviation + 1e-9) of each value; both are of those not apart.

    None where there is none; nothing, where no candidate has any.
    """
    held = [x for x in values if x is not None]
    if not held:
        return []
    counted = held
    if any(apart):
        counted = [x for x, aside in zip(values, apart, strict=True) if x is not None and not aside] or held
    mean = math.fsum(counted) / len(counted)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in counted) / len(counted))
    return [None if x is None else (x - mean) / (deviation + 1e-9) for x in values]


def _ranks(pool: Sequence[Candidate], values: Numbers) -> dict[int, int]:
    """Return 1 for the place of the largest value, 2 for the next; ties by id."""
    order = sorted((-x, pool[index].id, index) for index, x in enumerate(values) if x is not None)
    return {index: place for place, (_, _, index) in enumerate(order, start=1)}
