"""Logins and roles, on the session's real Postgres."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from memory_site.stack.logins import LOGINS, MEMBERSHIPS, ROLES, provision
from memory_site.stack.postgres import Postgres

DATABASE = "provisioned"


@pytest.fixture(scope="module")
def superuser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give a server of its own: the session's has the logins already, with passwords that others use."""
    server = Postgres(tmp_path_factory.mktemp("logins"))
    yield server.start()
    server.remove()


def as_login(superuser: str, login: str, password: str) -> psycopg.Connection:
    return psycopg.connect(make_conninfo(superuser, user=login, password=password, dbname=DATABASE))


def provisioned(superuser: str, word: str) -> dict[str, str]:
    passwords = {login: f"{word} of {login}" for login in LOGINS}
    provision(superuser, database=DATABASE, passwords=passwords)
    return passwords


def test_it_can_be_repeated_and_sets_the_passwords_anew(superuser: str) -> None:
    old = provisioned(superuser, "first")
    new = provisioned(superuser, "second")
    for login in LOGINS:
        as_login(superuser, login, new[login]).close()
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            as_login(superuser, login, old[login])


def test_no_login_or_role_is_above_row_level_security(superuser: str) -> None:
    provisioned(superuser, "any")
    with psycopg.connect(superuser) as connection:
        rows = connection.execute(
            "SELECT rolname FROM pg_roles WHERE (rolsuper OR rolbypassrls OR rolcreaterole) AND rolname = ANY(%s)",
            ([*LOGINS, *ROLES],),
        ).fetchall()
    assert rows == []


def test_a_login_has_no_rights_of_its_roles_until_it_becomes_one(superuser: str) -> None:
    passwords = provisioned(superuser, "any")
    with psycopg.connect(superuser, dbname=DATABASE, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS secret (word text)")
        for role in ROLES:
            connection.execute(f"GRANT SELECT ON secret TO {role}")
    for login, roles in MEMBERSHIPS.items():
        for role in roles:
            with as_login(superuser, login, passwords[login]) as connection:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute("SELECT word FROM secret")
                connection.rollback()
                connection.execute(f"SET LOCAL ROLE {role}")
                assert connection.execute("SELECT word FROM secret").fetchall() == []


def test_the_web_login_can_become_neither_operator_nor_eraser(superuser: str) -> None:
    passwords = provisioned(superuser, "any")
    for role in ("mneme_operator", "mneme_eraser", "mneme_owner", "mneme_worker"):
        with as_login(superuser, "mneme_web", passwords["mneme_web"]) as connection:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SET ROLE {role}")
            connection.rollback()


def test_a_new_database_is_born_with_vectors(superuser: str) -> None:
    passwords = provisioned(superuser, "any")
    with as_login(superuser, "mneme_owner", passwords["mneme_owner"]) as connection:
        connection.autocommit = True
        connection.execute("CREATE DATABASE born")
    with psycopg.connect(superuser, dbname="born") as connection:
        assert connection.execute("SELECT '[1,2]'::vector <=> '[1,2]'::vector").fetchone() == (0.0,)
