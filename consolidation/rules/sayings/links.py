"""Links: which memories a sentence tells to be no longer so, by the weights of what speaks for each."""

from collections.abc import Mapping, Sequence
from math import exp

from consolidation.rules.judgement import Held
from consolidation.rules.sayings.agreement import SINGLE
from consolidation.rules.sayings.heard import Heard
from consolidation.rules.sayings.namesakes import only_named
from consolidation.rules.sayings.owners import SELF
from consolidation.rules.sayings.pair import pairs, read_held
from consolidation.rules.sayings.pair_weights import WEIGHTS
from consolidation.rules.sayings.themes import PREDICATES

SURE = 0.45
"""From which probability on a memory gives way. Set by us."""
SURE_TOO = 0.7
"""From which on another one does beside it. Set by us."""
MEANS = 0.9
"""How much of what one word tells that a single memory has means that memory. Set by us."""
GONE_MAX = 3
"""What one saying takes the place of at most. Set by us."""


def linked(new: Heard, held: Sequence[Held]) -> list[Held]:
    """Return the memories that give way to what was said, the likeliest first. held: the newest first."""
    rated = [
        (likely(features, WEIGHTS), -at)
        for at, features in enumerate(pairs(new, held))
        if not _beside(features) and not only_named(new, read_held(held[at]))
    ]
    best, *others = sorted(rated, reverse=True) or [(0.0, 0)]
    sure = [best] * (best[0] >= SURE) + [one for one in others if one[0] >= SURE_TOO]
    return [held[-at] for _, at in sure[:GONE_MAX]]


def only_of_theme(predicate: str, held: Sequence[Held]) -> list[Held]:
    """Return the one memory that tells of the speaker's own matter that a predicate is of; none where several do."""
    theme = PREDICATES.get(predicate, "")
    if theme not in SINGLE:
        return []
    found = [
        one for one in held if any(theme in part.themes and SELF in part.owners for part in read_held(one).parts)
    ]
    return found if len(found) == 1 else []


def _beside(features: Mapping[str, float]) -> bool:
    """Say whether a sentence tells of somebody else, or of one thing more, and of no word that would mean the memory."""
    means = features["rare"] >= MEANS or features["name"]
    return not features["left"] and bool(features["adds"] or (features["apart"] and not means))


def likely(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the probability, in [0, 1]."""
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in features.items())))
