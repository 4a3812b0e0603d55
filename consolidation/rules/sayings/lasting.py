"""Lasting: how likely a sentence tells of its speaker what holds for longer than the moment."""

import math

from consolidation.rules.clauses import is_chinese
from consolidation.rules.sayings import chinese, english
from consolidation.rules.sayings.changed import STRONG, strength_of
from consolidation.rules.sayings.cue import Language


def language_of(sentence: str) -> Language:
    """Return the cues that a sentence is read by."""
    return chinese.LANGUAGE if is_chinese(sentence) else english.LANGUAGE


def lasting(sentence: str, *, answers: bool = False, follows: bool = False) -> float:
    """Return the probability, in [0, 1].

    sentence: masked. answers: the assistant had asked something just before. follows: the sentence before was kept.
    """
    language = language_of(sentence)
    has = [cue for cue in language.cues if cue.has(sentence)]
    if not (
        answers or follows or strength_of(sentence) >= STRONG or any(cue.name in language.anchors for cue in has)
    ):
        return 0.0
    odds = language.bias + answers * language.answers + follows * language.follows + sum(cue.weight for cue in has)
    return 1 / (1 + math.exp(-odds))


def hedged(sentence: str) -> bool:
    """Say whether a sentence is not said for certain."""
    return any(cue.name == "hedge" and cue.has(sentence) for cue in language_of(sentence).cues)


def commands(sentence: str) -> bool:
    """Say whether a sentence asks, orders, or speaks to the assistant as to a machine."""
    return any(cue.name in {"asks", "orders", "commands"} and cue.has(sentence) for cue in language_of(sentence).cues)
