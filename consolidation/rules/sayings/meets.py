"""Meets: what a saying repeats, or takes the place of, among what is believed already; by their words alone."""

from collections.abc import Sequence

from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.topic import rarities, repeats, share, topic
from consolidation.rules.sayings.words import words_of_saying

SAME = 0.85
"""Which part of a saying's words a memory has that says as much. Set by us."""
REMINDS = 0.4
"""The same of a saying that reminds of an earlier one. Set by us."""
ABOUT = 1.6
"""How much of what two sayings share must tell them from all others, in nats. Set by us."""
AHEAD = 1.15
"""How much more of that a memory must have than the next one. Set by us."""


def said_before(candidate: Candidate, held: Sequence[Held]) -> Held | None:
    """Return the memory that says as much as a saying does already."""
    words = topic(candidate.value)
    enough = REMINDS if repeats(candidate.value) else SAME
    best = max(held, key=lambda one: share(words, _topic(one)), default=None)
    return best if best is not None and share(words, _topic(best)) >= enough else None


def outdated(candidate: Candidate, held: Sequence[Held]) -> Held | None:
    """Return the memory that is about the same as a saying of a change, if it is clearly one."""
    words = topic(candidate.value)
    open_ones = [one for one in held if one.stance is Stance.HOLDS]
    rare = rarities([words, *(_topic(one) for one in open_ones)])
    scored = sorted(
        ((sum(rare[word] for word in words & _topic(one)), one.said_at, str(one.id), one) for one in open_ones),
        reverse=True,
    )
    if not scored or scored[0][0] < ABOUT or (len(scored) > 1 and scored[0][0] < AHEAD * scored[1][0]):
        return None
    return scored[0][-1]


def _topic(one: Held) -> frozenset[str]:
    return topic(words_of_saying(one.text) if one.predicate == SAYS else one.text)
