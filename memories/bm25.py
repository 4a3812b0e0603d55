"""BM25 on the engines' scale, for the few documents an engine does not show yet."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from backends.search.analysis import terms
from backends.search.base import Statistics
from backends.search.bm25 import K1, B, idf
from backends.search.rarity import rarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of one document: its length in terms, and how often each asked term occurs in it."""

    length: int
    frequencies: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The two searched fields of one document."""

    turn: Field
    window: Field


class TermCounter:
    """Counts asked terms line by line; neighbours share lines, so each line is analysed once.

    asked: the question's analysed terms.
    """

    def __init__(self, asked: Collection[str]) -> None:
        self._asked = frozenset(asked)
        self._held: dict[str, tuple[int, Counter[str]]] = {}

    def measure(self, lines: Sequence[str]) -> Field:
        """Return the field that the lines make together."""
        counted = [self._line(text) for text in lines]
        total: Counter[str] = Counter()
        for _, frequencies in counted:
            total.update(frequencies)
        return Field(length=sum(length for length, _ in counted), frequencies=total)

    def _line(self, text: str) -> tuple[int, Counter[str]]:
        if text not in self._held:
            found = terms(text)
            self._held[text] = (len(found), Counter(term for term in found if term in self._asked))
        return self._held[text]


def lexical_scores(
    asked: Sequence[str], documents: Sequence[Measured], *, known: Statistics, window_weight: float
) -> list[float]:
    """Return BM25(turn) + window_weight * BM25(window) of each document, without the (k1 + 1) factor.

    asked: the question's analysed terms. known: counts of what the engine shows; the documents are added to them.
    """
    turn = _field_scores(
        asked, [document.turn for document in documents], known=known, place=0, known_length=known.turn_length
    )
    window = _field_scores(
        asked, [document.window for document in documents], known=known, place=1, known_length=known.window_length
    )
    return [one + window_weight * other for one, other in zip(turn, window, strict=True)]


def _field_scores(
    asked: Sequence[str], fields: Sequence[Field], *, known: Statistics, place: int, known_length: float | None
) -> list[float]:
    """Return BM25 of one field of each document.

    place: which of a term's two known frequencies is the field's. known_length: the field's average in the engine.
    """
    total = known.documents + len(fields)
    held = known.documents if known_length is not None else 0
    average = ((known_length or 0.0) * held + sum(field.length for field in fields)) / max(
        held + len(fields), 1
    ) or 1.0
    scores = [0.0] * len(fields)
    for term in asked:
        frequency = known.frequencies.get(term, (0, 0))[place] + sum(
            1 for field in fields if term in field.frequencies
        )
        weight = idf(frequency, total)
        for index, field in enumerate(fields):
            tf = field.frequencies.get(term, 0)
            if tf:
                scores[index] += weight * tf / (tf + K1 * (1 - B + B * field.length / average))
    return scores


def rarities(
    asked: Sequence[str], documents: Sequence[Measured], *, known: Statistics, at_most: int
) -> dict[str, float]:
    """Return the rarity of each asked term, counting the turns of the engine and of the documents together."""
    counted = {
        term: known.frequencies.get(term, (0, 0))[0] + sum(1 for one in documents if term in one.turn.frequencies)
        for term in asked
    }
    return {term: rarity(count, at_most=at_most) for term, count in counted.items()}
