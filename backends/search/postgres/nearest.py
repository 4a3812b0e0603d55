"""The dense leg: every vector of a reach measured where there are few, a graph of neighbours where there are many.

One scan measures 100,000 vectors in a tenth of a second, which is too long; the graph takes a tenth of that and finds
nearly the same. But the graph is of all tenants: it passes over what is not in reach, and for a small part of the
whole it would pass over nearly everything, or come back short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.search.base import Query, Where
from backends.search.postgres.connection import Connection
from backends.search.postgres.times import asks_every_document, restrictions


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """What the dense leg found. numbers: of documents. passages: whether any in reach has passages."""

    numbers: Sequence[int]
    passages: bool


LARGE = 20_000
"""Documents in reach from which on the graph is asked; below, the scan takes no longer and misses nothing."""
SHARE = 20
"""The graph is asked where at least one document in so many is in reach."""
EXPLORED = 800
"""Candidates that the graph follows. Of the 80 nearest of 100,000 it found .96 with 800, .90 with 400 and .79 with
200, in 16, 8 and 5 ms; they were mixtures with many near ties, which real ones are not."""

_BEGIN = """
    SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', %s, true),
           set_config('enable_sort', 'off', true)
"""
"""Without sorting the graph is the only way to an order; the planner expects few rows and would sort those."""
_END = "SELECT set_config('enable_sort', 'on', true)"


def vector_index(dimensions: int) -> str:
    """Return what makes the graph for vectors of a length."""
    return f"""
        CREATE INDEX IF NOT EXISTS document_vector_{dimensions:d} ON engine.document
            USING hnsw ((embedding::halfvec({dimensions:d})) halfvec_cosine_ops)
            WHERE vector_dims(embedding) = {dimensions:d}
    """


def nearest(connection: Connection, query: Query, parameters: Mapping[str, Any]) -> Nearest:
    """Return the documents nearest to the question's vector, each by its own or the best of its passages."""
    if query.vector is None:
        return Nearest(numbers=[], passages=False)
    far = _nearest_wholes(connection, query, parameters)
    by_passage: dict[int, float] = dict(connection.execute(_by_passages(query.where), parameters).fetchall())
    if not by_passage:
        return Nearest(numbers=list(far), passages=False)
    for no, distance in by_passage.items():
        far[no] = min(distance, far.get(no, distance))
    return Nearest(numbers=sorted(far, key=lambda no: (far[no], no))[: query.candidates], passages=True)


def _nearest_wholes(connection: Connection, query: Query, parameters: Mapping[str, Any]) -> dict[int, float]:
    """Return how far the documents are whose own vectors are nearest."""
    if _is_large(parameters) and not asks_every_document(query.where):
        connection.execute(_BEGIN, (str(EXPLORED),))
        found = connection.execute(_by_graph(query.where, len(query.vector or ())), parameters).fetchall()
        connection.execute(_END)
        if len(found) == query.candidates:
            return dict(found)
    return dict(connection.execute(_by_scan(query.where), parameters).fetchall())


def _is_large(parameters: Mapping[str, Any]) -> bool:
    documents = parameters["documents"]
    return bool(documents >= LARGE and documents * SHARE >= parameters["all_documents"])


def _by_scan(where: Where) -> str:
    return f"""
        SELECT d.no, d.embedding <=> %(vector)s::halfvec FROM engine.document d
        WHERE d.place_no = ANY (%(places)s::integer[]) AND vector_dims(d.embedding) = vector_dims(%(vector)s::halfvec)
            AND d.no <> ALL (%(without)s::bigint[]) AND {restrictions(where)}
        ORDER BY d.embedding <=> %(vector)s::halfvec, d.no LIMIT %(candidates)s
    """


def _by_passages(where: Where) -> str:
    """Passages are of long texts alone, and few beside the documents: all of the reach's are measured."""
    return f"""
        SELECT p.document_no, min(p.embedding <=> %(vector)s::halfvec) AS far
        FROM engine.passage p JOIN engine.document d ON d.no = p.document_no
        WHERE p.place_no = ANY (%(places)s::integer[])
            AND vector_dims(p.embedding) = vector_dims(%(vector)s::halfvec)
            AND d.no <> ALL (%(without)s::bigint[]) AND {restrictions(where)}
        GROUP BY p.document_no ORDER BY far, p.document_no LIMIT %(candidates)s
    """


def _by_graph(where: Where, dimensions: int) -> str:
    return f"""
        SELECT d.no, d.embedding::halfvec({dimensions:d}) <=> %(vector)s::halfvec({dimensions:d})
        FROM engine.document d
        WHERE d.place_no = ANY (%(places)s::integer[]) AND vector_dims(d.embedding) = {dimensions:d}
            AND d.no <> ALL (%(without)s::bigint[]) AND {restrictions(where)}
        ORDER BY d.embedding::halfvec({dimensions:d}) <=> %(vector)s::halfvec({dimensions:d}) LIMIT %(candidates)s
    """
