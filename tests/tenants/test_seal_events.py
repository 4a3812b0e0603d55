"""The sealer: gapless numbers per tenant, in order, given once and by nobody else."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from tenants.models import Event
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.seal_events import LOCK, Sealed, seal_events
from tests.conftest import Caller, login
from tests.plugin import DATABASE, database_url

START = datetime(2026, 5, 1, tzinfo=UTC)


def seal(**arguments: Any) -> list[Sealed]:
    with login("mneme_worker"):
        return seal_events(**arguments, now=timezone.now())


def numbers(caller: Caller) -> list[tuple[int | None, str]]:
    """Return number and kind of every event, in order of insertion."""
    with open_scope(caller.scope):
        return list(Event.objects.order_by("at", "id").values_list("seq", "kind"))


def note_many(caller: Caller, count: int, *, kind: str = "test.noted") -> None:
    with open_scope(caller.scope):
        for index in range(count):
            note_event(caller.scope, kind, now=START + timedelta(seconds=index))


def test_events_are_numbered_per_tenant_in_order_of_insertion(acme: Caller, globex: Caller) -> None:
    note_many(acme, 3)
    sealed = {done.tenant_id: (done.first, done.last) for done in seal()}
    assert sealed.pop(None) == (1, 2), "the site's own: both tenants were created"
    assert sealed == {acme.key.tenant_id: (1, 5), globex.key.tenant_id: (1, 2)}
    assert numbers(acme) == [
        (1, "test.noted"), (2, "test.noted"), (3, "test.noted"), (4, "tenant.created"), (5, "key.issued"),
    ]  # fmt: skip
    assert seal() == []
    note_many(acme, 1, kind="test.later")
    assert seal() == [Sealed(tenant_id=acme.key.tenant_id, first=6, last=6)]


def test_the_sites_own_chain_is_sealed_too(acme: Caller) -> None:
    seal()
    with login("mneme_worker"), open_operator():
        for _ in range(2):
            Event.objects.create(tenant_id=None, kind="site.noted", at=START, actor="system")
    assert seal() == [Sealed(tenant_id=None, first=2, last=3)]


def test_a_pass_takes_so_many_of_each_tenant_and_the_next_goes_on(acme: Caller, globex: Caller) -> None:
    note_many(acme, 5)
    assert {done.last for done in seal(limit=2)} == {2}
    assert [done.last for done in seal(limit=10)] == [7]
    assert [number for number, _ in numbers(acme)] == [1, 2, 3, 4, 5, 6, 7]


def test_a_transaction_that_commits_late_gets_a_later_number(acme: Caller) -> None:
    with psycopg.connect(database_url("mneme_web")) as slow:
        slow.execute("SET LOCAL ROLE mneme_tenant")
        slow.execute("SELECT set_config('app.tenant_id', %s, true)", [str(acme.key.tenant_id)])
        slow.execute(
            "INSERT INTO tenants_event (id, tenant_id, kind, schema_version, at, actor, request_id, purpose,"
            " object_ids, data) VALUES (gen_random_uuid(), %s, 'late.noted', 1, %s, 'key', '', '', '{}', '{}')",
            [acme.key.tenant_id, START - timedelta(days=1)],
        )
        note_many(acme, 2)
        seal()
        slow.commit()
    seal()
    assert numbers(acme)[0] == (5, "late.noted")
    assert sorted(number or 0 for number, _ in numbers(acme)) == [1, 2, 3, 4, 5]


def test_while_another_sealer_has_a_tenant_in_hand_it_is_passed_over(acme: Caller, globex: Caller) -> None:
    with psycopg.connect(database_url("mneme_worker")) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, str(acme.key.tenant_id)])
        assert {done.tenant_id for done in seal()} == {None, globex.key.tenant_id}
    assert [done.tenant_id for done in seal()] == [acme.key.tenant_id]


@contextlib.contextmanager
def sealing(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run so many sealers as processes of their own."""
    command = [sys.executable, "-m", "django", "seal_events"]
    environment = {**os.environ, "DATABASE_URL": database_url("mneme_worker")}
    sealers = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        assert [sealer.stdout.readline() for sealer in sealers if sealer.stdout] == [b"Sealing events.\n"] * count
        yield sealers
    finally:
        for sealer in sealers:
            sealer.kill()
            sealer.communicate()


def write_at_once(caller: Caller, writers: int) -> list[threading.Thread]:
    """Start threads that note 300 events each, ten in a transaction."""

    def write() -> None:
        try:
            for _ in range(30):
                note_many(caller, 10)
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    return threads


def test_sealers_and_writers_at_once_and_one_killed_leave_no_gap(acme: Caller) -> None:
    with sealing(3) as sealers:
        writers = write_at_once(acme, 3)
        time.sleep(0.5)
        sealers[0].send_signal(signal.SIGKILL)
        for writer in writers:
            writer.join()
        end = time.monotonic() + 30
        while None in (found := [number for number, _ in numbers(acme)]):
            assert time.monotonic() < end, "the sealers do not keep up"
            time.sleep(0.1)
        assert sorted(number or 0 for number in found) == list(range(1, 903))
        for sealer in sealers[1:]:
            sealer.send_signal(signal.SIGTERM)
        assert [sealer.wait(10) for sealer in sealers] == [-signal.SIGKILL, 0, 0]


def test_the_command_seals_what_is_there_and_ends(acme: Caller) -> None:
    with login("mneme_worker"):
        call_command("seal_events", "--once")
    assert [number for number, _ in numbers(acme)] == [1, 2]


@pytest.mark.parametrize("column", ["seq", "prev_hash", "hash"])
def test_no_event_is_inserted_sealed(acme: Caller, column: str) -> None:
    value: Any = 7 if column == "seq" else b"x" * 32
    fields: dict[str, Any] = {"kind": "test.noted", "at": timezone.now(), "actor": "key", column: value}
    with pytest.raises(DatabaseError, match="numbered by the sealer"), open_scope(acme.scope):
        Event.objects.create(tenant_id=acme.key.tenant_id, **fields)
    with login("mneme_worker"), pytest.raises(DatabaseError, match="numbered by the sealer"), open_operator():
        Event.objects.create(tenant_id=acme.key.tenant_id, **fields)


def test_nobody_but_the_sealer_numbers_an_event(acme: Caller) -> None:
    statement = "UPDATE tenants_event SET seq = 7 WHERE seq IS NULL"
    for name in ("mneme_web", "mneme_worker"):
        with login(name), pytest.raises(DatabaseError, match="denied"), open_scope(acme.scope), cursor() as tenant:
            tenant.execute(statement)
        with login(name), pytest.raises(DatabaseError, match="denied"), cursor() as outside:
            outside.execute(statement)
    with login("mneme_owner"), pytest.raises(DatabaseError, match="append-only"), cursor() as owner:
        owner.execute(statement)


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ("seq = seq + 100", "append-only"),
        ("seq = NULL", "append-only"),
        ("hash = '\\x02'", "append-only"),
        ("kind = 'other.kind'", "denied"),
        ("data = '{}'", "denied"),
    ],
)
def test_not_even_the_sealer_changes_what_is_sealed(acme: Caller, change: str, refusal: str) -> None:
    seal()
    with login("mneme_worker"), pytest.raises(DatabaseError, match=refusal), open_operator(), cursor() as operator:
        operator.execute(f"UPDATE tenants_event SET {change}")


def test_the_trigger_holds_even_where_the_grants_would_not(acme: Caller, superuser_dsn: str) -> None:
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as superuser:
        superuser.execute("GRANT UPDATE ON tenants_event TO mneme_operator")
        superuser.execute("SET LOCAL ROLE mneme_operator")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            superuser.execute("UPDATE tenants_event SET seq = 1, kind = 'other.kind'")
        superuser.rollback()


def cursor() -> Any:
    """Return a database cursor, as a context manager."""
    return connection.cursor()
