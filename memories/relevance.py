"""Relevance: how likely a memory answers the question, on one scale for every question; what a threshold is set on.

The fused score cannot be that: its z-scores say how a memory stands among this question's candidates, not whether any
of them is right.
"""

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from backends.search.base import Statistics

SCORED = 20
"""Memories at the head of an answer whose words are looked at; those behind count no more than the last of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for one memory.

    cosine: of question and memory; late: by late interaction; both None where they were not measured.
    turn, window: the share of the question's terms that occur there, each weighed by how telling it is.
    code: whether it has a code or number of the question that hardly any other memory has.
    chinese: whether the question is.
    """

    cosine: float | None = None
    late: float | None = None
    turn: float = 0.0
    window: float = 0.0
    code: bool = False
    chinese: bool = False


# Logistic regressions on LoCoMo's dev conversations: gold turns against the best turns of another conversation that
# was asked the same question with its own speakers' names; both sides weigh the same (docs/benchmarks.md).
_COSINE_MEAN, _COSINE_SPREAD = 0.84, 0.03
# Of a Chinese question half of the terms stand across two words, so words say less there, and cosines lie closer
# together; set on the Chinese half of the lifecycle set.
_CHINESE_MEAN, _CHINESE_SPREAD = 0.88, 0.02
_WINDOW_MEAN, _WINDOW_SPREAD = 0.5, 0.3
_LATE_MEAN, _LATE_SPREAD = 0.45, 0.1
CODE = 0.9
"""The least relevance of a memory that has a code of the question that hardly any other has."""


def relevance(evidence: Evidence) -> float:
    """Return the relevance in (0, 1); a cosine that was not measured counts as the mean of all."""
    mean, spread = (_CHINESE_MEAN, _CHINESE_SPREAD) if evidence.chinese else (_COSINE_MEAN, _COSINE_SPREAD)
    cosine = 0.0 if evidence.cosine is None else (evidence.cosine - mean) / spread
    words = (max(evidence.window, evidence.turn) - _WINDOW_MEAN) / _WINDOW_SPREAD
    if evidence.chinese:
        sure = 0.3 + 0.9 * cosine + 0.5 * words
    elif evidence.late is None:
        sure = 0.57 + 0.54 * cosine + 1.04 * words
    else:
        sure = 0.25 + 0.12 * cosine + 0.39 * words + 0.70 * (evidence.late - _LATE_MEAN) / _LATE_SPREAD
    likely = 1 / (1 + math.exp(-sure))
    return max(likely, CODE) if evidence.code else likely


def coverage(asked: Sequence[str], held: Set[str], known: Statistics, *, place: int) -> float:
    """Return the share of the question's terms that a text has, each by its inverse document frequency.

    held: the text's terms. place: of which field the frequencies are taken, as in Statistics.
    Source of the weight: Robertson & Zaragoza, 2009, as in backends.search.
    """
    weights: Mapping[str, float] = {
        term: math.log(1 + (total - n + 0.5) / (n + 0.5))
        for term in asked
        for n in (min(known.frequencies.get(term, (0, 0))[place], known.documents),)
        for total in (max(known.documents, 1),)
    }
    whole = math.fsum(weights.values())
    return math.fsum(weight for term, weight in weights.items() if term in held) / whole if whole else 0.0
