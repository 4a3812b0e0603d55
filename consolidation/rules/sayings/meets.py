"""Meets: what a saying repeats, or takes the place of, among what is believed already; by their words alone."""

from collections.abc import Mapping, Sequence
from math import log
from uuid import UUID

from consolidation.rules.candidate import Candidate
from consolidation.rules.clauses import is_chinese
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.changed import STRONG
from consolidation.rules.sayings.heard import heard
from consolidation.rules.sayings.numbers import numbers_of
from consolidation.rules.sayings.pair import read_held
from consolidation.rules.sayings.topic import denies, rarities, repeats, share, topic

SAME = 0.85
"""Which part of a saying's words a memory has that says as much. Set by us."""
NEARLY = 0.95
"""How much of what one word tells that a single memory has must be shared at least. Set by us."""
CLAUSES_MIN = 2
AHEAD = 1.15
"""How much more of that a memory must have than the next one. Set by us."""


def said_before(candidate: Candidate, held: Sequence[Held]) -> Held | None:
    """Return the memory that says as much as a saying does already."""
    words = topic(candidate.value)
    topics = {one.id: _topic(one) for one in held}
    best = max(held, key=lambda one: share(words, topics[one.id]), default=None)
    if best is not None and share(words, topics[best.id]) >= SAME and _says_no_other(candidate.value, best):
        return best
    reminded = _nearest(words, held, topics, rarities(list(topics.values()))) if repeats(candidate.value) else []
    return reminded[0] if reminded else None


def _says_no_other(said: str, one: Held) -> bool:
    """Say whether a sentence has no number, negation or word of change that a memory of the same words lacks."""
    held = read_held(one)
    if denies(said) != denies(held.text) or not numbers_of(said) <= numbers_of(held.text):
        return False
    return heard(said).strength < STRONG or held.strength >= STRONG


def _nearest(
    words: frozenset[str], held: Sequence[Held], topics: Mapping[UUID, frozenset[str]], rare: Mapping[str, float]
) -> list[Held]:
    """Return the memory that shares the most, if it shares what no other has and is clearly ahead, and its likes."""
    scored = sorted(
        ((sum(rare[word] for word in words & topics[one.id]), one.said_at, str(one.id), one) for one in held),
        reverse=True,
    )
    if not scored or scored[0][0] < log(1 + len(held)) * NEARLY:
        return []
    best = scored[0][-1]
    likes = [one for score, _, _, one in scored[1:] if score and _one_is_part(topics[one.id], topics[best.id])]
    rival = next((score for score, _, _, one in scored[1:] if one not in likes), 0.0)
    return [best, *likes] if scored[0][0] >= AHEAD * rival else []


def _one_is_part(words: frozenset[str], others: frozenset[str]) -> bool:
    return max(share(words, others), share(others, words)) >= SAME


def rest_of(old: str, new: str) -> str:
    """Return what a saying still says once another has taken the place of a part of it; empty where nothing is left.

    old, new: what was said. The clauses that share words with the new one are those that are gone; where none does,
    those of its themes.
    """
    told = heard(new)
    parts = heard(old).parts
    gone = [bool(part.words & told.words) for part in parts]
    if not any(gone):
        gone = [bool(part.themes & told.themes) for part in parts]
    if len(parts) < CLAUSES_MIN or not any(gone):
        return ""
    kept = [part.text for part, over in zip(parts, gone, strict=True) if not over and len(part.words) > 1]
    return (", " if not is_chinese(old) else "，").join(kept)


def _topic(one: Held) -> frozenset[str]:
    return read_held(one).words
