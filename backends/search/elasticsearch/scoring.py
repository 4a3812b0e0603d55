"""BM25 by the counts of the reach alone: nobody else's documents change a score, and no score tells of them.

Elasticsearch's own BM25 counts all documents of an index, other tenants' included, and cannot be told otherwise. So
a match scores how often the term occurs, and a script makes BM25 of that, with the counts handed in.
"""

from collections.abc import Mapping
from typing import Any

from backends.search.analysis import terms
from backends.search.base import Query, Statistics
from backends.search.bm25 import K1, B, idf
from backends.search.elasticsearch.times import Clause

SIMILARITY = "mneme_frequency"
"""Of the searched fields: a term's score is how often it occurs in the field."""
_TERM_FREQUENCY = "return query.boost * doc.freq;"
_BM25 = "params.weight * _score / (_score + params.floor + params.slope * doc[params.length].value)"
"""The same text for all terms: Elasticsearch compiles each text once."""


def length_of(field: str) -> str:
    """Return the field that holds how many terms a searched field has; whoever may not see one sees neither."""
    return f"{field}_length"


def lengths(body: Mapping[str, Any]) -> dict[str, int]:
    """Return the lengths of a document, analysed as every engine and the overlay do."""
    return {length_of(field): len(terms(body[field])) for field in ("turn", "window") if field in body}


def similarities() -> dict[str, Any]:
    """Return the similarity settings of an index."""
    return {SIMILARITY: {"type": "scripted", "script": {"source": _TERM_FREQUENCY}}}


def matching(query: Query, statistics: Statistics) -> list[Clause]:
    """Return a clause for each term and field that anything in reach has; the lexical score is their sum."""
    turn, window = statistics.turn_length, None if query.reach.hides_window else statistics.window_length
    clauses = []
    for term, (turns, windows) in statistics.frequencies.items():
        if turns and turn:
            clauses.append(_scored("turn", term, idf(turns, statistics.documents), turn))
        if windows and window:
            weight = query.window_weight * idf(windows, statistics.documents)
            clauses.append(_scored("window", term, weight, window))
    return clauses


def _scored(field: str, term: str, weight: float, average: float) -> Clause:
    parameters = {"weight": weight, "floor": K1 * (1 - B), "slope": K1 * B / average, "length": length_of(field)}
    script = {"source": _BM25, "params": parameters}
    return {"script_score": {"query": {"term": {field: term}}, "script": script}}
