"""Postgres as a SearchEngine."""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
from uuid_utils.compat import uuid7

from backends.errors import Rejected, Unavailable
from backends.search.attack import Finding, Target
from backends.search.base import Answer, Query, SearchEngine
from backends.search.changes import Change, IndexDefinition, Outcome, State
from backends.search.digests import Held
from backends.search.postgres import schema, statements
from backends.search.postgres.attack import attack
from backends.search.postgres.connection import POOL_SIZE, Connections, Row
from backends.search.postgres.nearest import vector_index
from backends.search.postgres.search import reach_parameters, search
from backends.search.postgres.writing import write
from backends.search.reach import Credential, HeldCredential, Reach

SCAN_PAGE = 10_000


class PostgresEngine(SearchEngine):
    """Search in the same Postgres, under roles that see only what a token reaches.

    dsn: of the process's own login, which may become mneme_engine to search; mneme_operator to write.
    """

    name = "postgres"
    visible_after_s = 0.0

    def __init__(self, dsn: str, *, pool_size: int = POOL_SIZE) -> None:
        self._connections = Connections(dsn, size=pool_size)

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        self._connections.close()

    def ensure(self, definitions: Sequence[IndexDefinition]) -> None:
        """Create schema, tables, functions and policies; the login must own the database."""
        with self._connections.alone() as connection:
            for statement in schema.STATEMENTS:
                connection.execute(statement)
            for dimensions in sorted({found for one in definitions if (found := one.dimensions) is not None}):
                connection.execute(vector_index(dimensions))

    def ping(self) -> None:
        """Return when the tables are there."""
        with self._connections.transaction("mneme_engine") as connection:
            try:
                connection.execute(statements.READY)
            except psycopg.ProgrammingError as error:
                raise Unavailable("Postgres has no tables of the engine yet; run setup_search") from error

    def apply(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write one transaction a batch, as mneme_operator; by halves if Postgres cannot store one of them."""
        return self._written(changes, again=False)

    def backfill(self, changes: Sequence[Change]) -> list[Outcome]:
        """Write documents anew, each in a transaction with its postings, so that searches see the old or the new."""
        return self._written(changes, again=True)

    def _written(self, changes: Sequence[Change], *, again: bool) -> list[Outcome]:
        if not changes:
            return []
        try:
            with self._connections.transaction("mneme_operator") as connection:
                return write(connection, changes, again=again)
        except Rejected as error:
            if len(changes) == 1:
                return [Outcome(change=changes[0], state=State.REJECTED, reason=_code(error))]
        middle = len(changes) // 2
        return [*self._written(changes[:middle], again=again), *self._written(changes[middle:], again=again)]

    def versions(self, tenant_id: UUID, kind: str, ids: Sequence[UUID], *, upcoming: bool = False) -> dict[UUID, int]:
        """Return the versions of documents that are not removed."""
        with self._connections.transaction("mneme_operator") as connection:
            rows = connection.execute(
                "SELECT id, version FROM engine.document"
                " WHERE tenant_id = %s AND kind = %s AND id = ANY (%s) AND place_no IS NOT NULL",
                (tenant_id, kind, list(ids)),
            ).fetchall()
        return {row[0]: row[1] for row in rows}

    def scan(self, tenant_id: UUID, kind: str, *, upcoming: bool = False) -> Iterator[Held]:
        """Yield the documents that are not removed, a page a transaction."""
        last = UUID(int=0)
        while True:
            with self._connections.transaction("mneme_operator") as connection:
                rows = connection.execute(statements.SCAN, (tenant_id, kind, last, SCAN_PAGE)).fetchall()
            yield from ((row[0], row[1]) for row in rows)
            if len(rows) < SCAN_PAGE:
                return
            last = rows[-1][0]

    def tenants(self, kind: str) -> set[UUID]:
        """Return the tenants of a kind's places that hold a document."""
        with self._connections.transaction("mneme_operator") as connection:
            return {row[0] for row in connection.execute(statements.TENANTS, (kind,)).fetchall()}

    def highest_version(self) -> int:
        """Return the highest version, of removed documents too."""
        with self._connections.transaction("mneme_operator") as connection:
            row = connection.execute("SELECT coalesce(max(version), 0) FROM engine.document").fetchone()
        return max(int(row[0]), 0) if row else 0

    def begin_rebuild(self, definition: IndexDefinition) -> bool:
        """Do nothing: documents are written anew in place."""
        return False

    def swap(self, kind: str) -> None:
        """Do nothing: there is one generation."""

    def drop_old(self, kind: str) -> bool:
        """Say that there is no other generation."""
        return False

    def search(self, query: Query, *, using: Credential) -> Answer:
        """Run both legs under the token's rights."""
        return search(self._connections, query, using)

    def count(self, reach: Reach) -> int:
        """Return how many documents stand in a reach."""
        return self._counted(statements.IN_REACH, reach_parameters(reach))

    def count_of_subject(self, tenant_id: UUID, subject_id: UUID) -> int:
        """Return how many documents of a subject stand in any place."""
        where = "p.tenant_id = %(tenant)s AND p.subject_id = %(subject)s"
        return self._counted(where, {"tenant": tenant_id, "subject": subject_id})

    def count_of_tenant(self, tenant_id: UUID) -> int:
        """Return how many documents of a tenant stand in any place."""
        return self._counted("p.tenant_id = %(tenant)s", {"tenant": tenant_id})

    def purge(self, tenant_id: UUID) -> None:
        """Delete the tenant's documents, tombstones and places, in one transaction."""
        places = "(SELECT no FROM engine.place WHERE tenant_id = %(tenant)s)"
        with self._connections.transaction("mneme_operator") as connection:
            for statement in (
                f"DELETE FROM engine.posting WHERE place_no IN {places}",
                f"DELETE FROM engine.facet WHERE place_no IN {places}",
                f"DELETE FROM engine.passage WHERE place_no IN {places}",
                "DELETE FROM engine.document WHERE tenant_id = %(tenant)s",
                f"DELETE FROM engine.statistics WHERE place_no IN {places}",
                "DELETE FROM engine.place WHERE tenant_id = %(tenant)s",
            ):
                connection.execute(statement, {"tenant": tenant_id})

    def _counted(self, where: str, parameters: Mapping[str, Any]) -> int:
        statement = (
            f"SELECT count(*) FROM engine.document WHERE place_no IN (SELECT p.no FROM engine.place p WHERE {where})"
        )
        with self._connections.transaction("mneme_operator") as connection:
            row = connection.execute(statement, parameters).fetchone()
        return int(row[0]) if row else 0

    def expunge(self) -> None:
        """Do nothing: a removed document's rows are deleted or emptied, and autovacuum takes what is left."""

    def refresh(self) -> None:
        """Do nothing: what is committed is visible."""

    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        """Store a token's hash with its reach, and read the reach back."""
        token, credential_id = secrets.token_urlsafe(32), uuid7()
        digest = hashlib.sha256(token.encode()).digest()
        with self._connections.transaction() as connection:
            connection.execute(
                "SELECT engine.grant_token(%s, %s, %s, %s, %s, %s, %s, %s)",
                (credential_id, digest, reach.tenant_id, reach.subject_id, list(reach.kinds),
                 list(reach.compartments), list(reach.hidden_fields), expires_at),
            )  # fmt: skip
        if self.reach_of(str(credential_id)) != reach:
            self.revoke([str(credential_id)])
            raise Rejected("the engine holds another reach than was granted")
        return Credential(id=str(credential_id), secret=token, expires_at=expires_at)

    def reach_of(self, credential_id: str) -> Reach | None:
        """Return the reach stored with a live token."""
        if not _uuids([credential_id]):
            return None
        with self._connections.transaction() as connection:
            row = connection.execute("SELECT * FROM engine.reach(%s)", (credential_id,)).fetchone()
        if row is None:
            return None
        return _reach(row)

    def credentials(self) -> Iterator[HeldCredential]:
        """Yield the tokens; only the worker's login may ask."""
        with self._connections.transaction() as connection:
            rows = connection.execute(
                "SELECT c.id, c.expires_at, r.* FROM engine.credentials() c"
                " LEFT JOIN LATERAL engine.reach(c.id) r ON true"
            ).fetchall()
        for row in rows:
            reach = _reach(row[2:]) if row[2] is not None else None
            yield HeldCredential(id=str(row[0]), reach=reach, created_at=_made_at(row[0]), expires_at=row[1])

    def revoke(self, credential_ids: Sequence[str]) -> None:
        """Delete tokens; the commit is the confirmation."""
        with self._connections.transaction() as connection:
            connection.execute("SELECT engine.revoke_tokens(%s)", (_uuids(credential_ids),))

    def attack(self, target: Target, *, using: Credential, victim_key: str) -> list[Finding]:
        """Run SQL under the token, as if a statement of ours were open to injection."""
        own = len(self._seen(using))
        return attack(self._connections, target, using=using, own=own)

    def _seen(self, using: Credential) -> list[Row]:
        with self._connections.transaction() as connection:
            connection.execute(statements.BEGIN, (using.secret,))
            return connection.execute("SELECT id FROM engine.document").fetchall()


def _reach(row: Sequence[Any]) -> Reach:
    """Return the reach in a row of engine.reach."""
    return Reach(
        tenant_id=row[0],
        subject_id=row[1],
        kinds=tuple(row[2]),
        compartments=tuple(row[3]),
        hidden_fields=tuple(row[4]),
    )


def _made_at(credential_id: UUID) -> datetime:
    """Return when a UUIDv7 was made: its first 48 bits are milliseconds. Source: RFC 9562, section 5.7."""
    return datetime.fromtimestamp((credential_id.int >> 80) / 1000, UTC)


def _uuids(credential_ids: Sequence[str]) -> list[UUID]:
    """Return the ids that can be ours; another engine's are unknown here."""
    found = []
    for credential_id in credential_ids:
        try:
            found.append(UUID(credential_id))
        except ValueError:
            continue
    return found


def _code(error: Rejected) -> str:
    cause = error.__cause__
    return str(getattr(cause, "sqlstate", None) or type(cause).__name__)
