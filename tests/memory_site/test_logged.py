"""What Postgres logs of an error holds nobody's text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError
from django.utils import timezone

from memories.models import Session
from memory_site.stack.postgres import Postgres
from tenants.models import Subject
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, client_with
from tests.memories.test_idempotency import together
from tests.plugin import DATABASE

SECRET = "zebrafinch"


def log_of(server: Postgres) -> str:
    return server.log.read_text(encoding="utf-8")


@contextmanager
def settings_of_the_web(dsn: str, **settings: str) -> Iterator[None]:
    """Give new connections of the web's login other settings of the log, which are a superuser's to give."""
    with psycopg.connect(dsn, autocommit=True) as superuser:
        for name, value in settings.items():
            superuser.execute(f"ALTER ROLE mneme_web IN DATABASE {DATABASE} SET {name} = '{value}'")
        try:
            yield
        finally:
            superuser.execute(f"ALTER ROLE mneme_web IN DATABASE {DATABASE} RESET ALL")


def fail(caller: Caller) -> None:
    """Run a statement with personal text twice; the second one breaks a constraint."""
    subject = Subject(tenant_id=caller.key.tenant_id, external_id=SECRET, created_at=timezone.now())
    with pytest.raises(DatabaseError, match="duplicate key"), open_scope(caller.scope):
        for _ in range(2):
            Session.objects.create(tenant_id=subject.tenant_id, external_id=SECRET, created_at=subject.created_at)


def test_a_failed_statement_is_logged_without_what_it_was_about(acme: Caller, postgres_server: Postgres) -> None:
    before = len(log_of(postgres_server))
    fail(acme)
    logged = log_of(postgres_server)[before:]
    assert "duplicate key" in logged
    assert SECRET not in logged
    assert "INSERT INTO" not in logged


def test_values_travel_beside_their_statement(
    acme: Caller, postgres_server: Postgres, superuser_dsn: str, record: None
) -> None:
    from django.db import connection

    connection.close()
    before = len(log_of(postgres_server))
    with settings_of_the_web(superuser_dsn, log_min_error_statement="error"):
        fail(acme)
        connection.close()
    logged = log_of(postgres_server)[before:]
    assert "INSERT INTO" in logged
    assert "$1" in logged
    assert SECRET not in logged


def test_what_many_do_at_once_is_no_error(acme: Caller, postgres_server: Postgres) -> None:
    before = len(log_of(postgres_server))

    def send(number: int) -> Any:
        body = {"user_id": SECRET, "session_id": "s1", "content": "hello"}
        return client_with(acme.secret).post("/api/v1/turns/", body, format="json", headers={"Idempotency-Key": "k1"})

    answers = together(8, send)
    assert {answer.status_code for answer in answers} == {201}
    found = together(8, lambda _: client_with(acme.secret).post("/api/v1/recall/", {"query": "?"}, format="json"))
    assert {answer.status_code for answer in found} == {200}
    assert "ERROR" not in log_of(postgres_server)[before:]


def test_logs_are_their_owners(postgres_server: Postgres) -> None:
    assert postgres_server.log.stat().st_mode & 0o777 == 0o600
