"""One search: both legs and what each lacks, in one transaction under the token's rights."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from backends.errors import Refused
from backends.search.analysis import question_terms
from backends.search.base import Answer, Candidate, Query, Statistics
from backends.search.bm25 import idf
from backends.search.postgres import statements
from backends.search.postgres.connection import Connection, Connections
from backends.search.postgres.filtering import FilterSQL
from backends.search.postgres.nearest import nearest
from backends.search.postgres.times import states
from backends.search.rarity import rare_among
from backends.search.reach import Credential, Reach

Scores = dict[int, tuple[float, tuple[str, ...]]]
"""Document number -> lexical score, rare terms."""
_NO_SCORE: tuple[float, tuple[str, ...]] = (0.0, ())


def search(connections: Connections, query: Query, using: Credential) -> Answer:
    """Answer a query.

    1. Take on the token's rights. 2. Find the places that are asked for and in the token's reach. 3. Weigh the terms.
    4. Run the legs. 5. Fill in the pool: every document's data and cosine, the lexical scores of dense-only ones.
    """
    took_ms: dict[str, float] = {}
    with connections.transaction() as connection:
        connection.execute(statements.BEGIN, (using.secret,))
        row = connection.execute("SELECT engine.tenant()").fetchone()
        if row is None or row[0] is None:
            raise Refused("the credential is unknown, expired or revoked")
        parameters = _parameters(query)
        documents = _find_places(connection, parameters)
        with _timed(took_ms, "lexical"):
            statistics = _weigh(connection, query, parameters, documents - len(parameters["without"]))
            lexical = _lexical(connection, query, parameters)
        with _timed(took_ms, "dense"):
            near = nearest(connection, query, parameters)
        with _timed(took_ms, "fill"):
            also = _numbers(connection, parameters, [one for one in query.also if one not in query.without])
            candidates = _pool(connection, parameters, lexical, [*near.numbers, *also], passages=near.passages)
    legs = ("lexical",) if query.vector is None else ("lexical", "dense")
    return Answer(candidates=candidates, took_ms=took_ms, statistics=statistics, legs=legs)


def reach_parameters(reach: Reach) -> dict[str, Any]:
    """Return the parameters of statements.IN_REACH."""
    return {
        "tenant": reach.tenant_id,
        "subject": reach.subject_id,
        "kinds": list(reach.kinds),
        "compartments": list(reach.compartments),
    }


def _parameters(query: Query) -> dict[str, Any]:
    where = query.where
    return {
        **reach_parameters(query.reach),
        "valid_at": where.valid_at,
        "as_of": where.as_of,
        "judged_at": where.judged_at,
        "states": states(where),
        "own_only": where.own_only,
        "without_ids": list(query.without),
        "terms": question_terms(query.text),
        "vector": None if query.vector is None else str([float(x) for x in query.vector]),
        "author": query.author,
        "candidates": query.candidates,
        "own_bonus": query.own_bonus,
        **(FilterSQL(where.filters).parameters if where.filters is not None else {}),
    }


def _find_places(connection: Connection, parameters: dict[str, Any]) -> int:
    """Add the places and the slopes of their lengths to the parameters; return how many documents they hold.

    The slopes and the number include what is passed over: a few documents among many.
    """
    row = connection.execute(statements.PLACES, parameters).fetchone()
    places, open_places, documents, turn_length, window_length, everything = row or ([], [], 0, 0.0, 0.0, 0)
    parameters["places"], parameters["open_places"] = places, open_places
    parameters["documents"], parameters["all_documents"] = documents, everything
    parameters["without"] = _numbers(connection, parameters, parameters["without_ids"])
    parameters["turn_slope"] = statements.K1_B * documents / (turn_length or 1.0)
    parameters["window_slope"] = statements.K1_B * documents / (window_length or 1.0)
    return int(documents)


def _numbers(connection: Connection, parameters: Mapping[str, Any], ids: Sequence[UUID]) -> list[int]:
    """Return the numbers of documents in reach by their ids."""
    if not ids:
        return []
    row = connection.execute(statements.NUMBERS, {**parameters, "ids": list(ids)}).fetchone()
    return list(row[0]) if row is not None else []


def _weigh(connection: Connection, query: Query, parameters: dict[str, Any], documents: int) -> Statistics:
    """Add each term's weights to the parameters; return the counts behind them."""
    counted = dict.fromkeys(parameters["terms"], (0, 0))
    for term, turns, windows in connection.execute(statements.FREQUENCIES, parameters):
        counted[term] = (turns, 0 if query.reach.hides_window else windows)
    parameters["turn_weights"] = [idf(turns, documents) for turns, _ in counted.values()]
    weight = 0.0 if query.reach.hides_window else query.window_weight
    parameters["window_weights"] = [weight * idf(windows, documents) for _, windows in counted.values()]
    rare = set(rare_among(counted, at_most=query.rare_at_most))
    parameters["rare"] = [term in rare for term in counted]
    return Statistics(
        documents=documents,
        frequencies=counted,
        turn_length=statements.K1_B / parameters["turn_slope"] if parameters["turn_slope"] else None,
        window_length=statements.K1_B / parameters["window_slope"] if parameters["window_slope"] else None,
    )


def _lexical(connection: Connection, query: Query, parameters: Mapping[str, Any]) -> Scores:
    if not parameters["terms"]:
        return {}
    statement = statements.lexical_leg(query.where, with_author=query.author is not None)
    return _scores(connection.execute(statement, parameters).fetchall())


def _scores(rows: Iterable[tuple[Any, ...]]) -> Scores:
    return {no: (lexical, tuple(rare or ())) for no, lexical, rare in rows}


def _pool(
    connection: Connection, parameters: Mapping[str, Any], lexical: Scores, others: Iterable[int], *, passages: bool
) -> tuple[Candidate, ...]:
    """Return the candidates; others: numbers of those that the lexical leg has not brought, or has as well.

    passages: whether any in reach may have some; then the best of them counts, if it is nearer than the whole.
    """
    without = [no for no in dict.fromkeys(others) if no not in lexical]
    scores = dict(lexical)
    if without and parameters["terms"]:
        found = connection.execute(statements.SCORES, {**parameters, "nos": without})
        scores.update(_scores(found.fetchall()))
    pool = {**parameters, "nos": [*lexical, *without]}
    best: dict[int, float] = dict(connection.execute(statements.PASSAGES, pool).fetchall()) if passages else {}
    rows = connection.execute(statements.POOL, pool)
    return tuple(
        Candidate(
            id=object_id,
            kind=kind,
            session_id=session_id,
            author=author,
            lexical=scores.get(no, _NO_SCORE)[0],
            dense=max((x for x in (cosine, best.get(no)) if x is not None), default=None),
            rare_terms=scores.get(no, _NO_SCORE)[1],
        )
        for no, object_id, kind, session_id, author, cosine in rows
    )


@contextmanager
def _timed(took_ms: dict[str, float], leg: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    took_ms[leg] = (time.perf_counter() - start) * 1000
