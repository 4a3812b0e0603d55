"""The overlay: what the engine cannot show yet, scored on the engine's scale and merged into its pool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.search.analysis import question_terms
from backends.search.base import Candidate, Statistics
from memories.bm25 import Measured, TermCounter, lexical_scores, rarities
from memories.documents.searched_text import searched_text, window_text
from memories.lines import line, stamp
from memories.services.prepare_recall import Fresh

RARE_AT_MOST = 3
"""A term that so few turns have is rare; the engine is asked with the same number."""
NOTHING_KNOWN = Statistics(documents=0, frequencies={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The engine's candidates and the overlay's, and how telling each term of the question is among both.

    known: counts over both; of the question's terms in the field turn alone.
    """

    candidates: tuple[Candidate, ...]
    rarities: Mapping[str, float]
    known: Statistics


def merged(
    candidates: Sequence[Candidate], known: Statistics, overlay: Sequence[Fresh], query: str, *, window_weight: float
) -> Merged:
    """Return both together; the engine was asked to pass over what the overlay has.

    known: the engine's counts without the overlay's rows.
    """
    asked = question_terms(query)
    counter = TermCounter(asked)
    measured = [_measured(counter, fresh.row) for fresh in overlay]
    scores = lexical_scores(asked, measured, known=known, window_weight=window_weight)
    fresh_candidates = [
        Candidate(
            id=fresh.row.id,
            kind=fresh.row.kind,
            session_id=getattr(fresh.row, "session_id", None),
            author=getattr(fresh.row, "author", ""),
            lexical=score,
            dense=fresh.dense,
            rare_terms=tuple(fields.turn.frequencies),
        )
        for fresh, score, fields in zip(overlay, scores, measured, strict=True)
    ]
    return Merged(
        candidates=(*candidates, *fresh_candidates),
        rarities=rarities(asked, measured, known=known, at_most=RARE_AT_MOST),
        known=_counted(asked, measured, known),
    )


def _counted(asked: Sequence[str], measured: Sequence[Measured], known: Statistics) -> Statistics:
    """Return the engine's counts with the overlay's added."""
    fresh = {term: sum(1 for one in measured if term in one.turn.frequencies) for term in asked}
    frequencies = {term: known.frequencies.get(term, (0, 0)) for term in asked}
    return Statistics(
        documents=known.documents + len(measured),
        frequencies={term: (turn + fresh[term], window) for term, (turn, window) in frequencies.items()},
    )


def _measured(counter: TermCounter, row: Any) -> Measured:
    """Measure the fields of a row's document, line by line as memories.documents puts them together."""
    if not getattr(row, "context", ""):
        return Measured(turn=counter.measure([searched_text(row)]), window=counter.measure([window_text(row)]))
    own = line(row.author, row.text)
    return Measured(
        turn=counter.measure([stamp(own, row.valid_from), own]),
        window=counter.measure([stamp(row.context, row.valid_from), *row.context.split("\n")]),
    )
