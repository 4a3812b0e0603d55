"""Cue: what speaks for or against a sentence telling something that lasts."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import regex


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One cue: a name, whether a sentence has it, and its weight in the log odds."""

    name: str
    has: Callable[[str], bool]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The cues of a language.

    bias: log odds without any. answers: what an answer to a question adds; follows: what is added where the sentence
    before, of the same turn, was kept. anchors: the cues of which a sentence has one at least, that is kept for itself.

    The weights are those of a logistic regression (ridge 1.0) over the labelled sentences of benchmarks/data, rounded:
    `python -m benchmarks.consolidation.fit`.
    """

    cues: Sequence[Cue]
    bias: float
    answers: float
    follows: float
    anchors: Collection[str]


def words(name: str, weight: float, pattern: str, *, flags: int = regex.I) -> Cue:
    """Return the cue of a pattern that stands somewhere in the sentence."""
    compiled = regex.compile(pattern, flags)
    return Cue(name=name, has=lambda sentence: compiled.search(sentence) is not None, weight=weight)
