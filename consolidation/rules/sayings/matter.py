"""Matter: what the themes and values of a sentence say for its telling something that lasts."""

from collections.abc import Callable

from consolidation.rules.sayings.cue import Cue
from consolidation.rules.sayings.kinds import kinds_of
from consolidation.rules.sayings.themes import themes_of

_GROUPS = {
    "of_health": {"medication", "health", "doctor", "weight"},
    "of_food": {"diet", "meal", "drink", "smoking"},
}


def matter(weights: dict[str, float]) -> tuple[Cue, ...]:
    """Return the cues, with the weights that a language has for them."""
    has: dict[str, Callable[[str], bool]] = {name: _tells_of(frozenset(group)) for name, group in _GROUPS.items()}
    has["a_value"] = lambda sentence: bool(kinds_of(sentence))
    return tuple(Cue(name=name, has=test, weight=weights.get(name, 0.0)) for name, test in has.items())


def _tells_of(group: frozenset[str]) -> Callable[[str], bool]:
    return lambda sentence: not group.isdisjoint(themes_of(sentence))
