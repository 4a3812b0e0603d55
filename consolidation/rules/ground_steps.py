"""Steps that a model read, held against what was said: each must stand in one sentence, and mean to do what that does."""

from collections.abc import Sequence
from functools import lru_cache

import regex

from consolidation.rules.ground import says_no_more, words_in
from consolidation.rules.steps import STEP_MAX_LENGTH, STEPS_MAX, words_of

SAID = 0.75
"""Which part of a step's words one sentence must have. Set by us: a model words "you should reset it" anew."""
_SENTENCES = (regex.compile(r"[^.!?。！？；;\n]+"), regex.compile(r"[^.!?。！？；;\n,，:：]+"))
_NOT = regex.compile(
    r"\b(?:not|never|no|without|avoid|stop|refrain|skip)\b|n't\b|不|别|勿|没|无|未|避免|禁止|停止", regex.I
)


def steps_in(value: object, *, fewest: int) -> tuple[str, ...]:
    """Return the steps of an answer; none, where they are too few, too many, or no texts."""
    if not isinstance(value, list) or not fewest <= len(value) <= STEPS_MAX:
        return ()
    steps = tuple(words_in(step, longest=STEP_MAX_LENGTH) for step in value)
    return steps if all(steps) and len(set(steps)) == len(steps) else ()


def is_told(step: str, contents: Sequence[str]) -> bool:
    """Say whether one of some turns tells a step: its words in one sentence, its numbers and names, and no other sense.

    "Do not press it" tells nobody to press it.
    """
    words = words_of(step)
    if not words:
        return False
    negated = negates(step)
    return any(
        len(words & said) / len(words) >= SAID and negating is negated
        for content in contents
        if says_no_more(step, content)
        for said, negating in _sentences(content)
    )


@lru_cache(maxsize=256)
def _sentences(content: str) -> Sequence[tuple[frozenset[str], bool]]:
    """Return the words of each sentence and clause of a turn, and whether it says not to do something."""
    cut = [sentence for pattern in _SENTENCES for sentence in pattern.findall(content)]
    return [(words_of(sentence), negates(sentence)) for sentence in cut]


def negates(text: str) -> bool:
    """Say whether a text tells somebody not to do something."""
    return bool(_NOT.search(text))
