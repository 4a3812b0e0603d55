"""Meets: what a saying repeats, or takes the place of, among what is believed already; by their words alone."""

from collections.abc import Mapping, Sequence
from math import log
from uuid import UUID

from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.clauses import clauses_of, is_chinese
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.numbers import renumbered
from consolidation.rules.sayings.topic import changes, denies, given_up, rarities, repeats, share, topic
from memories.sayings import words_of_saying

SAME = 0.85
"""Which part of a saying's words a memory has that says as much. Set by us."""
NEARLY = 0.95
"""How much of what one word tells that a single memory has must be shared at least. Set by us."""
TOLD = 1.0
"""Which part of the words that a rule read a saying must have that tells as much."""
CLAUSES_MIN = 2
LEFT = 2.0
"""How many times more a word counts that is said to be left or given up. Set by us."""
GONE_MAX = 3
"""What one saying takes the place of at most. Set by us."""
AHEAD = 1.15
"""How much more of that a memory must have than the next one. Set by us."""


def said_before(candidate: Candidate, held: Sequence[Held]) -> Held | None:
    """Return the memory that says as much as a saying does already."""
    words = topic(candidate.value)
    topics = {one.id: _topic(one) for one in held}
    best = max(held, key=lambda one: share(words, topics[one.id]), default=None)
    if best is not None and share(words, topics[best.id]) >= SAME:
        return best
    reminded = _nearest(words, held, topics, rarities(list(topics.values()))) if repeats(candidate.value) else []
    return reminded[0] if reminded else None


def told_by(candidate: Candidate, held: Sequence[Held]) -> Held | None:
    """Return the saying that tells already what a rule read, neither or both denying it."""
    words = topic(candidate.text)
    for one in held:
        if one.predicate == SAYS and share(words, _topic(one)) >= TOLD and denies(one.text) == denies(candidate.text):
            return one
    return None


def outdated(candidate: Candidate, held: Sequence[Held]) -> list[Held]:
    """Return the memories that are about what a saying tells to have changed, the nearest first.

    The whole has one at most, with what says a part of that one; each clause of a changed number has one as well.
    """
    open_ones = [one for one in held if one.stance is Stance.HOLDS]
    topics = {one.id: _topic(one) for one in open_ones}
    said = candidate.value
    left = given_up(said)
    rare = {word: (LEFT if word in left else 1) * much for word, much in rarities(list(topics.values())).items()}
    found: dict[UUID, Held] = {}
    for one in _nearest(topic(said), open_ones, topics, rare):
        found.setdefault(one.id, one)
    words = {one.id: _words(one) for one in open_ones}
    for clause in (said[start:end] for start, end in clauses_of(said)):
        for other in renumbered(clause, open_ones, words) if changes(clause) else ():
            found.setdefault(other.id, other)
    return list(found.values())[:GONE_MAX]


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

    old, new: what was said. The clauses that share the rarest words with the new one are those that are gone.
    """
    clauses = [old[start:end] for start, end in clauses_of(old)]
    shared = [len(topic(clause) & topic(new)) for clause in clauses]
    if len(clauses) < CLAUSES_MIN or not any(shared):
        return ""
    kept = [clause for clause, words in zip(clauses, shared, strict=True) if not words and len(topic(clause)) > 1]
    return (", " if not is_chinese(old) else "，").join(kept)


def _topic(one: Held) -> frozenset[str]:
    return topic(_words(one))


def _words(one: Held) -> str:
    return words_of_saying(one.text) if one.predicate == SAYS else one.text
