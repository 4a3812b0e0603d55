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
    added = signals.added
    dense = weights.dense_with_late if signals.late else weights.dense
    legs = {
        "lexical": (1.0, _z_scores({c.id: c.lexical for c in pool}, apart=added), 0.0),
        "dense": (dense, _z_scores({c.id: c.dense for c in pool if c.dense is not None}, apart=added), 0.0),
        "semantic": (
            weights.semantic,
            _z_scores({c.id: c.semantic for c in pool if c.semantic is not None}, apart=added),
            0.0,
        ),
        "late": (weights.late, *_head(pool, signals.late)),
        "rerank": (weights.rerank, *_head(pool, signals.rerank)),
    }
    parts: dict[UUID, dict[str, float]] = {}
    for c in pool:
        of_one = {name: weight * z.get(c.id, missing) for name, (weight, z, missing) in legs.items() if z}
        if signals.author is not None and c.author == signals.author:
            of_one["own"] = weights.own
        if c.id in signals.graph:
            of_one["graph"] = weights.graph * signals.graph[c.id]
        parts[c.id] = of_one
    first = {object_id: math.fsum(of_one.values()) for object_id, of_one in parts.items()}
    _add_session(pool, parts, first, signals, weights)
    _add_rare(pool, parts, signals, weights)
    _add_lifts(pool, parts, signals, weights)
    lexical_ranks = _ranks({c.id: c.lexical for c in pool if c.lexical > 0})
    dense_ranks = _ranks({c.id: c.dense for c in pool if c.dense is not None})
    semantic_ranks = _ranks({c.id: c.semantic for c in pool if c.semantic is not None})
    ranked = [
        Ranked(
            candidate=c,
            lexical_rank=lexical_ranks.get(c.id),
            dense_rank=dense_ranks.get(c.id),
            semantic_rank=semantic_ranks.get(c.id),
            parts=parts[c.id],
            raw_score=math.fsum(parts[c.id].values()),
        )
        for c in pool
    ]
    return sorted(ranked, key=lambda r: (-r.raw_score, r.candidate.id))


def _add_session(
    pool: Sequence[Candidate],
    parts: Mapping[UUID, dict[str, float]],
    first: Mapping[UUID, float],
    signals: Signals,
    weights: Weights,
) -> None:
    """Add each candidate's share of its session's best; what stands alone is a session of its own."""
    best: dict[UUID, float] = {}
    for c in pool:
        if c.session_id is not None and c.id not in signals.added:
            best[c.session_id] = max(best.get(c.session_id, -math.inf), first[c.id])
    for c in pool:
        session_best = first[c.id] if c.session_id is None else max(best.get(c.session_id, -math.inf), first[c.id])
        parts[c.id]["session"] = weights.session * session_best


def _add_rare(
    pool: Sequence[Candidate], parts: Mapping[UUID, dict[str, float]], signals: Signals, weights: Weights
) -> None:
    """Add the bonus of rare terms. A code counts in full; of words, those share it that have any rare one.

    A word that few turns have is often a common one that nobody happened to say: where several turns each have
    another, none of them stands out. The bonus in full for each cost .03 R@5 on LoCoMo.
    """
    words: dict[UUID, float] = {}
    codes: dict[UUID, float] = {}
    rare = {c.id: [term for term in c.rare_terms if signals.rarities.get(term)] for c in pool}
    written = {object_id: frozenset(filter(is_code, found)) for object_id, found in rare.items() if found}
    for c in pool:
        for term in rare[c.id]:
            held = codes if is_code(term) else words
            held[c.id] = held.get(c.id, 0.0) + signals.rarities[term]
        if c.id in codes:  # parts of one code are rarer together than each; all that have one are in the pool
            together = sum(1 for other in written.values() if other >= written[c.id])
            codes[c.id] = max(codes[c.id], 1 / together)
    total = math.fsum(words.values())
    for object_id in codes.keys() | words.keys():
        of_words = words.get(object_id, 0.0)
        share = of_words / total if total else 0.0
        bonus = max(_bonus(codes.get(object_id, 0.0)), share * _bonus(of_words))
        if bonus:
            parts[object_id]["rare"] = weights.rare * bonus


def literal_matches(pool: Sequence[Candidate], signals: Signals) -> frozenset[UUID]:
    """Return what no other wording may displace: what has a rare term of the question, and its best by words."""
    rare = {c.id for c in pool if any(signals.rarities.get(term) for term in c.rare_terms)}
    matching = sorted((c for c in pool if c.lexical > 0), key=lambda c: (-c.lexical, c.id))
    return frozenset({*rare, *(c.id for c in matching[:LITERAL_BEST])})


def _add_lifts(
    pool: Sequence[Candidate], parts: Mapping[UUID, dict[str, float]], signals: Signals, weights: Weights
) -> None:
    """Add what other wordings lift."""
    if not signals.rewrite or not weights.rewrite:
        return
    scores = {object_id: math.fsum(of_one.values()) for object_id, of_one in parts.items()}
    literal = literal_matches(pool, signals)
    for object_id, gained in lifts(scores, gains(scores, signals, weights), literal).items():
        parts[object_id]["rewrite"] = gained


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


def _head(pool: Sequence[Candidate], scores: Mapping[UUID, float]) -> tuple[dict[UUID, float], float]:
    """Return the z-scores of those that were scored, and what the others count as."""
    z = _z_scores({c.id: scores[c.id] for c in pool if c.id in scores})
    return z, min(z.values(), default=0.0)


def _z_scores(values: Mapping[UUID, float], *, apart: frozenset[UUID] = frozenset()) -> dict[UUID, float]:
    """Return (x - mean) / (population standard deviation + 1e-9) of each value; both are of those not apart."""
    if not values:
        return {}
    counted = [x for key, x in values.items() if key not in apart] or list(values.values())
    mean = math.fsum(counted) / len(counted)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in counted) / len(counted))
    return {key: (x - mean) / (deviation + 1e-9) for key, x in values.items()}


def _ranks(values: Mapping[UUID, float]) -> dict[UUID, int]:
    """Return 1 for the largest value, 2 for the next; ties by id."""
    order = sorted(values, key=lambda key: (-values[key], key))
    return {key: place for place, key in enumerate(order, start=1)}
