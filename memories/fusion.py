"""Fusion: from two legs' numbers to one order, linear on the pool.

Source: design note on recall, section 3, recipe B, and its profile for chats with an assistant.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from backends.search.base import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of one profile.

    window: factor of the context field's BM25 (unitless, >= 0). dense: factor of the cosine's z-score.
    own: added for the participant asked about. session: factor of the best score in the same session.
    rare: added for a turn that alone has a term of the question, in proportion where a few have it; a quarter of it
    for each of two more such terms. It outweighs what the legs can add: more where the profile's cosine counts more.
    """

    profile: str
    window: float
    dense: float
    own: float
    session: float
    rare: float = 8.0


RARITY_MAX = 3.0
"""Chinese names are several pairs of characters, so a few rare terms may be one name; more count no more."""
FRESH_MAX = 20
"""Candidates let in with nothing to measure them by: the newest ones, said a moment ago."""

GENERAL = Weights(profile="general", window=2.0, dense=0.8, own=0.5, session=0.35)
"""For talk among several named people."""
ASSISTANT = Weights(profile="assistant", window=1.0, dense=1.6, own=1.5, session=0.2, rare=12.0)
"""For one user with an assistant: first-person questions, long answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One candidate in its final place, with everything that put it there.

    lexical_z, dense_z: z-scores over the pool; dense_z is None without a vector. rarity: sum over the question's rare
    terms in its turn. session_best: the best score before the session term among the pool's candidates of the same
    session; what stands alone is a session of its own.
    score: the final score mapped to (0, 1), for order and display; not a probability.
    """

    candidate: Candidate
    lexical_rank: int | None
    dense_rank: int | None
    lexical_z: float
    dense_z: float | None
    own: bool
    rarity: float
    session_best: float
    raw_score: float
    score: float


def pick(candidates: Iterable[Candidate], *, author: str | None, own_bonus: float, limit: int) -> list[Candidate]:
    """Return the pool: the best `limit` by lexical score (own_bonus added) and the best `limit` by cosine.

    What has neither number is too new for a vector and shares no word with the question: the first FRESH_MAX of those
    are let in, as they come.
    """
    listed = list(candidates)
    matching = [candidate for candidate in listed if candidate.lexical > 0]
    matching.sort(key=lambda c: (not c.rare_terms, -(c.lexical + own_bonus * (c.author == author)), c.id))
    near = sorted((c for c in listed if c.dense is not None), key=lambda c: (-(c.dense or 0.0), c.id))
    unknown = [c for c in listed if c.lexical == 0 and c.dense is None]
    chosen = {c.id: c for c in [*matching[:limit], *near[:limit], *unknown[:FRESH_MAX]]}
    return list(chosen.values())


def fuse(
    pool: Sequence[Candidate], *, author: str | None, weights: Weights, rarities: Mapping[str, float]
) -> list[Ranked]:
    """Order a pool, best first, ties by id.

    rarities: the question's terms -> how telling each is (backends.search.rarity).
    s1 = z(lexical) + dense * z(cosine) + own * [by the participant asked about]; s = s1 + session * max of s1 over
    the pool's candidates of the same session, + the bonus of rare terms in the turn. A missing cosine counts as the
    pool's mean.
    """
    lexical_z = _z_scores({c.id: c.lexical for c in pool})
    dense_z = _z_scores({c.id: c.dense for c in pool if c.dense is not None})
    first: dict[UUID, float] = {}
    best: dict[UUID, float] = {}
    for c in pool:
        own = weights.own if author is not None and c.author == author else 0.0
        first[c.id] = lexical_z[c.id] + weights.dense * dense_z.get(c.id, 0.0) + own
        if c.session_id is not None:
            best[c.session_id] = max(best.get(c.session_id, -math.inf), first[c.id])
    lexical_ranks = _ranks({c.id: c.lexical for c in pool if c.lexical > 0})
    dense_ranks = _ranks({c.id: c.dense for c in pool if c.dense is not None})
    ranked = []
    for c in pool:
        session_best = best[c.session_id] if c.session_id is not None else first[c.id]
        rarity = math.fsum(rarities.get(term, 0.0) for term in c.rare_terms)
        raw = first[c.id] + weights.session * session_best + weights.rare * _bonus(rarity)
        ranked.append(
            Ranked(
                candidate=c,
                lexical_rank=lexical_ranks.get(c.id),
                dense_rank=dense_ranks.get(c.id),
                lexical_z=lexical_z[c.id],
                dense_z=dense_z.get(c.id),
                own=author is not None and c.author == author,
                rarity=rarity,
                session_best=session_best,
                raw_score=raw,
                score=1 / (1 + math.exp(-raw)),
            )
        )
    return sorted(ranked, key=lambda r: (-r.raw_score, r.candidate.id))


def _bonus(rarity: float) -> float:
    """Return a rarity with what is over 1 counted for a quarter, up to 1.5."""
    return min(rarity, 1.0) + 0.25 * (min(max(rarity, 1.0), RARITY_MAX) - 1.0)


def _z_scores(values: Mapping[UUID, float]) -> dict[UUID, float]:
    """Return (x - mean) / (population standard deviation + 1e-9) of each value."""
    if not values:
        return {}
    mean = math.fsum(values.values()) / len(values)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in values.values()) / len(values))
    return {key: (x - mean) / (deviation + 1e-9) for key, x in values.items()}


def _ranks(values: Mapping[UUID, float]) -> dict[UUID, int]:
    """Return 1 for the largest value, 2 for the next; ties by id."""
    order = sorted(values, key=lambda key: (-values[key], key))
    return {key: place for place, key in enumerate(order, start=1)}
