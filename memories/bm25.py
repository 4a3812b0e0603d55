"""BM25 on the engines' scale, for the few documents an engine does not show yet."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from backends.search.analysis import terms
from backends.search.base import Statistics

K1 = 1.2
B = 0.75
"""Source: Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009; Lucene's defaults."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedText:
    """The analysed terms of one field of one document, with how often each occurs."""

    turn: Mapping[str, int]
    window: Mapping[str, int]


class TermCounter:
    """Counts the terms of texts line by line; neighbours share lines, so each line is analysed once."""

    def __init__(self) -> None:
        self._held: dict[str, Counter[str]] = {}

    def count(self, text: str) -> Counter[str]:
        """Return the terms of a text and how often each occurs."""
        return reduce(lambda total, part: total + part, map(self._line, text.split("\n")), Counter[str]())

    def _line(self, text: str) -> Counter[str]:
        if text not in self._held:
            self._held[text] = Counter(terms(text))
        return self._held[text]


def lexical_scores(
    asked: Sequence[str], documents: Sequence[CountedText], *, known: Statistics, window_weight: float
) -> list[float]:
    """Return BM25(turn) + window_weight * BM25(window) of each document, without the (k1 + 1) factor.

    asked: the question's analysed terms. known: counts of what the engine shows; the documents are added to them.
    """
    total = known.documents + len(documents)
    scores = [0.0] * len(documents)
    for field, weight in (("turn", 1.0), ("window", window_weight)):
        counted: list[Mapping[str, int]] = [getattr(document, field) for document in documents]
        lengths = [sum(counts.values()) for counts in counted]
        average = sum(lengths) / max(len(lengths), 1) or 1.0
        for term in asked:
            held = known.frequencies.get(term, (0, 0))[0 if field == "turn" else 1]
            frequency = held + sum(1 for counts in counted if term in counts)
            idf = math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
            for index, counts in enumerate(counted):
                tf = counts.get(term, 0)
                if tf:
                    norm = K1 * (1 - B + B * lengths[index] / average)
                    scores[index] += weight * idf * tf / (tf + norm)
    return scores
