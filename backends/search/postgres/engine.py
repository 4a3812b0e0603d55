"""Postgres as a SearchEngine."""

import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout
from uuid_utils.compat import uuid7

from backends.errors import Refused, Rejected, Unavailable
from backends.search.analysis import question_terms
from backends.search.base import (
    Answer,
    Candidate,
    Change,
    Credential,
    IndexDefinition,
    Outcome,
    Query,
    Reach,
    SearchEngine,
    Statistics,
)
from backends.search.postgres import schema, search_sql
from backends.search.postgres.writing import write

POOL_SIZE = 10
POOL_TIMEOUT_S = 5.0

Row = tuple[Any, ...]


class PostgresEngine(SearchEngine):
    """Search in the same Postgres, under roles that see only what a token reaches.

    dsn: of the process's own login, which may become mneme_engine to search; mneme_operator to write.
    """

    name = "postgres"
    visible_after_s = 0.0

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    @cached_property
    def _pool(self) -> ConnectionPool[psycopg.Connection[Row]]:
        return ConnectionPool(
            self._dsn,
            min_size=0,
            max_size=POOL_SIZE,
            timeout=POOL_TIMEOUT_S,
            check=ConnectionPool.check_connection,  # the server may have restarted
            open=True,
            kwargs={"autocommit": True},
        )

    def close(self) -> None:
        """Close the pool; the next use opens a new one."""
        if "_pool" in self.__dict__:
            self._pool.close()
            del self.__dict__["_pool"]

    def ensure(self, definitions: Sequence[IndexDefinition]) -> None:
        """Create schema, tables, functions and policies; the login must own the database."""
        with _translated(), psycopg.connect(self._dsn) as connection:
            for statement in schema.STATEMENTS:
                connection.execute(statement)

    def ping(self) -> None:
        """Return when the tables are there."""
        with self._role("mneme_engine") as connection:
            connection.execute("SELECT 1 FROM engine.document LIMIT 0")

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write one transaction a batch, as mneme_operator."""
        if not changes:
            return []
        with self._role("mneme_operator") as connection:
            return write(connection, changes)

    def versions(self, tenant_id: UUID, kind: str, ids: Sequence[UUID]) -> dict[UUID, int]:
        """Return the versions of documents that are not removed."""
        with self._role("mneme_operator") as connection:
            rows = connection.execute(
                "SELECT id, version FROM engine.document"
                " WHERE tenant_id = %s AND kind = %s AND id = ANY (%s) AND NOT removed",
                (tenant_id, kind, list(ids)),
            ).fetchall()
        return {row[0]: row[1] for row in rows}

    def search(self, query: Query, *, using: Credential) -> Answer:
        """Run both legs in one statement, under the token's rights."""
        start = time.perf_counter()
        parameters = _parameters(query)
        with self._reader(using) as connection:
            rows = connection.execute(search_sql.SEARCH, parameters).fetchall()
            statistics = None
            if query.statistics:
                counted = connection.execute(search_sql.STATISTICS, parameters).fetchone()
                if counted is not None:
                    frequencies = {term: (pair[0], pair[1]) for term, pair in counted[1].items()}
                    statistics = Statistics(documents=int(counted[0]), frequencies=frequencies)
        candidates = tuple(
            Candidate(
                id=row[0], kind=row[1], session_id=row[2], author=row[3], lexical=row[4], dense=row[5], rare=row[6]
            )
            for row in rows
        )
        took_ms = {"both": (time.perf_counter() - start) * 1000}
        return Answer(candidates=candidates, took_ms=took_ms, statistics=statistics)

    def count(self, reach: Reach) -> int:
        """Return how many documents stand in a reach."""
        statement = "SELECT count(*) FROM engine.document d WHERE NOT d.removed AND " + search_sql.REACH.format(
            alias="d"
        )
        with self._role("mneme_operator") as connection:
            row = connection.execute(statement, _reach_parameters(reach)).fetchone()
        return int(row[0]) if row else 0

    def refresh(self) -> None:
        """Do nothing: what is committed is visible."""

    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        """Store a token's hash with its reach, and read the reach back."""
        token, credential_id = secrets.token_urlsafe(32), uuid7()
        digest = hashlib.sha256(token.encode()).digest()
        with self._role(None) as connection:
            connection.execute(
                "SELECT engine.grant_token(%s, %s, %s, %s, %s, %s, %s)",
                (credential_id, digest, reach.tenant_id, reach.subject_id, list(reach.kinds),
                 list(reach.compartments), expires_at),
            )  # fmt: skip
        if self.reach_of(str(credential_id)) != reach:
            self.revoke([str(credential_id)])
            raise Rejected("the engine holds another reach than was granted")
        return Credential(id=str(credential_id), secret=token, expires_at=expires_at)

    def reach_of(self, credential_id: str) -> Reach | None:
        """Return the reach stored with a live token."""
        with self._role(None) as connection:
            row = connection.execute("SELECT * FROM engine.reach(%s)", (credential_id,)).fetchone()
        if row is None:
            return None
        return Reach(tenant_id=row[0], subject_id=row[1], kinds=tuple(row[2]), compartments=tuple(row[3]))

    def revoke(self, credential_ids: Sequence[str]) -> None:
        """Delete tokens; the commit is the confirmation."""
        with self._role(None) as connection:
            connection.execute("SELECT engine.revoke_tokens(%s::uuid[])", (list(credential_ids),))

    @contextmanager
    def _role(self, role: str | None) -> Iterator[psycopg.Connection[Row]]:
        """Yield a connection in a transaction, as a role or as the login itself."""
        with _translated(), self._pool.connection() as connection, connection.transaction():
            if role is not None:
                connection.execute("SELECT set_config('role', %s, true)", (role,))
            yield connection

    @contextmanager
    def _reader(self, using: Credential) -> Iterator[psycopg.Connection[Row]]:
        """Yield a connection that sees what a credential reaches; raise Refused, when it reaches nothing."""
        with self._role("mneme_engine") as connection:
            row = connection.execute(
                "SELECT set_config('app.engine_token', %s, true), engine.tenant()", (using.secret,)
            ).fetchone()
            row = connection.execute("SELECT engine.tenant()").fetchone()
            if row is None or row[0] is None:
                raise Refused("the credential is unknown, expired or revoked")
            yield connection


def _reach_parameters(reach: Reach) -> dict[str, Any]:
    return {
        "tenant": reach.tenant_id,
        "subject": reach.subject_id,
        "kinds": list(reach.kinds),
        "compartments": list(reach.compartments),
    }


def _parameters(query: Query) -> dict[str, Any]:
    where = query.where
    return {
        **_reach_parameters(query.reach),
        "sessions": None if where.session_ids is None else list(where.session_ids),
        "agent": where.agent_id,
        "valid_at": where.valid_at,
        "terms": question_terms(query.text),
        "vector": None if query.vector is None else str([float(x) for x in query.vector]),
        "author": query.author,
        "candidates": query.candidates,
        "window_weight": query.window_weight,
        "own_bonus": query.own_bonus,
        "rare_at_most": query.rare_at_most,
    }


@contextmanager
def _translated() -> Iterator[None]:
    """Turn psycopg's errors into the backends' three."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
        raise Unavailable(f"Postgres did not answer ({type(error).__name__})") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise Refused("the login has no right to this") from error
    except psycopg.Error as error:
        raise Rejected(f"Postgres refused the statement ({type(error).__name__}, {error.sqlstate})") from error
