"""Logins, roles, database and extension, made once by a superuser; docs/operations shows the same SQL.

Migrations never create them: a migration runs as mneme_owner, who may not.
"""

from collections.abc import Mapping

import psycopg
from psycopg import sql

LOGINS = ("mneme_owner", "mneme_web", "mneme_worker")
ROLES = ("mneme_tenant", "mneme_engine", "mneme_operator", "mneme_eraser")
MEMBERSHIPS: Mapping[str, tuple[str, ...]] = {
    "mneme_web": ("mneme_tenant", "mneme_engine"),
    "mneme_worker": ("mneme_tenant", "mneme_engine", "mneme_operator", "mneme_eraser"),
}
"""login -> roles it may become by SET ROLE; none is inherited, so code outside a scope has no rights."""

EXTENSION = "CREATE EXTENSION IF NOT EXISTS vector"


def provision(superuser_dsn: str, *, database: str, passwords: Mapping[str, str]) -> None:
    """Create or complete the logins, roles, memberships, extension and database. Idempotent.

    superuser_dsn: connection string of a Postgres superuser, any database.
    passwords: one for each of LOGINS; set anew on every call.
    """
    with psycopg.connect(superuser_dsn, autocommit=True) as connection:
        _require_version(connection)
        for role in ROLES:
            _ensure_role(connection, role, sql.SQL("NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE"))
        for login in LOGINS:
            createdb = "CREATEDB" if login == "mneme_owner" else "NOCREATEDB"  # the owner makes test databases
            attributes = sql.SQL("LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE " + createdb + " PASSWORD {}").format(
                sql.Literal(passwords[login])
            )
            _ensure_role(connection, login, attributes)
        for login, roles in MEMBERSHIPS.items():
            for role in roles:
                connection.execute(
                    sql.SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(
                        sql.Identifier(role), sql.Identifier(login)
                    )
                )
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (database,)).fetchone()
        if not exists:
            connection.execute(sql.SQL("CREATE DATABASE {} OWNER mneme_owner").format(sql.Identifier(database)))
        # Who can make a table can make a trigger, and so run the owner's functions on it.
        connection.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
    # vector is not a trusted extension: in template1, so that test databases are born with it.
    for name in ("template1", database):
        with psycopg.connect(superuser_dsn, dbname=name, autocommit=True) as connection:
            connection.execute(EXTENSION)


def _require_version(connection: psycopg.Connection) -> None:
    if connection.info.server_version < 160000:
        raise RuntimeError("Postgres 16 or later is needed (GRANT … WITH INHERIT FALSE); upgrade the server")


def _ensure_role(connection: psycopg.Connection, name: str, attributes: sql.Composable) -> None:
    exists = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone()
    verb = sql.SQL("ALTER ROLE {} {}") if exists else sql.SQL("CREATE ROLE {} {}")
    connection.execute(verb.format(sql.Identifier(name), attributes))
