"""The record's wall: row-level security on tenant and subject, with the query's own filters left out."""

import time
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from memories.models import Memory, MemoryVector, OutboxEntry, Session, Turn
from tenants.models import ApiKey, Subject, Tenant
from tenants.scope import ScopeDenied
from tenants.services.open_scope import narrow_scope, open_operator, open_scope
from tenants.services.walls import UnsafeLogin, refuse_unsafe_login, wall_faults
from tests.conftest import Caller, login
from tests.plugin import DATABASE

WALLED = [model for room in ("tenants", "memories") for model in apps.get_app_config(room).get_models()]
"""Every table of ours; a new one joins by itself."""


@pytest.mark.parametrize("model", WALLED)
def test_without_a_scope_every_table_is_refused(record: None, model: type) -> None:
    with pytest.raises(DatabaseError, match="permission denied"):
        model.objects.count()  # type: ignore[attr-defined]


@pytest.mark.parametrize("model", [Subject, ApiKey, Session, Turn, Memory, MemoryVector, OutboxEntry])
def test_a_scope_sees_its_own_tenant_only(
    acme: Caller, globex: Caller, drain: Callable[[], None], model: type
) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    globex.turn("the heron is called Quill", user_id="u1")
    globex.turn("the heron eats at noon", user_id="u2")
    if model is MemoryVector:
        drain()  # the worker makes the vectors, and empties the outbox
    with open_scope(acme.scope):
        rows = list(model.objects.all())  # type: ignore[attr-defined]
        assert rows
        assert {row.tenant_id for row in rows} == {acme.key.tenant_id}


def test_a_subject_sees_its_own_and_the_shared_rows(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    shared = acme.client.post("/api/v1/turns/", {"session_id": "s", "content": "ours"}, format="json")
    assert shared.status_code == 201
    with open_scope(acme.scope):
        subject = Subject.objects.get(external_id="u1")
    with open_scope(acme.scope.narrowed_to(subject.id)):
        assert sorted(Memory.objects.values_list("text", flat=True)) == ["mine", "ours"]
        assert sorted(Turn.objects.values_list("content", flat=True)) == ["mine", "ours"]


def test_a_subject_cannot_write_for_another_or_for_all(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    with open_scope(acme.scope):
        own = Subject.objects.get(external_id="u1")
        other = Subject.objects.get(external_id="u2")
    for subject_id in (other.id, None):
        with pytest.raises(DatabaseError, match="row-level security"), open_scope(acme.scope.narrowed_to(own.id)):
            Session.objects.create(
                tenant_id=acme.key.tenant_id, subject_id=subject_id, external_id="x", created_at=timezone.now()
            )


def test_a_row_cannot_refer_to_another_tenants_row(acme: Caller, globex: Caller) -> None:
    foreign = globex.turn("the heron is called Quill")
    with pytest.raises(DatabaseError, match="row-level security"), open_scope(acme.scope):
        MemoryVector.objects.create(
            tenant_id=acme.key.tenant_id, memory_id=foreign["memory_id"], model="m", vector=[1.0, 0.0]
        )
    with open_scope(globex.scope):
        session_id = Session.objects.get().id
    now = timezone.now()
    with pytest.raises(DatabaseError, match="foreign key"), open_scope(acme.scope):
        Turn.objects.create(
            tenant_id=acme.key.tenant_id, session_id=session_id, position=9, role="user", content="x",
            content_hash=b"x", occurred_at=now, recorded_at=now,
        )  # fmt: skip


def test_a_second_tenant_inside_a_scope_is_refused(acme: Caller, globex: Caller) -> None:
    with open_scope(acme.scope):
        with pytest.raises(ScopeDenied), open_scope(globex.scope):
            pass
        assert Tenant.objects.get().slug == "acme"


def test_leaving_a_nested_scope_puts_the_outer_one_back(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    with open_scope(acme.scope):
        subject = Subject.objects.get(external_id="u1")
        with open_scope(acme.scope.narrowed_to(subject.id)):
            assert Memory.objects.count() == 1
        assert Memory.objects.count() == 2


def test_a_scope_that_was_narrowed_stays_so_until_its_block_ends(acme: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    with open_scope(acme.scope):
        subject = Subject.objects.get(external_id="u1")
        with open_scope(acme.scope):
            narrow_scope(acme.scope.narrowed_to(subject.id))
            assert [memory.text for memory in Memory.objects.all()] == ["mine"]
        assert Memory.objects.count() == 2
        narrow_scope(acme.scope.narrowed_to(subject.id))
        assert Memory.objects.count() == 1
    with open_scope(acme.scope):
        assert Memory.objects.count() == 2


def test_a_scope_is_narrowed_to_no_other_one_and_stays_what_it_was(acme: Caller, globex: Caller) -> None:
    acme.turn("mine", user_id="u1")
    acme.turn("yours", user_id="u2")
    globex.turn("theirs", user_id="u1")
    with open_scope(acme.scope):
        one, two = Subject.objects.order_by("external_id")
        for scope in (
            globex.scope,
            replace(acme.scope, compartments=("hr",)),
            replace(acme.scope, kinds=(*acme.scope.kinds, "x")),
        ):
            with pytest.raises(ScopeDenied):
                narrow_scope(scope)
            assert sorted(memory.text for memory in Memory.objects.all()) == ["mine", "yours"]
        narrow_scope(acme.scope.narrowed_to(one.id))
        for scope in (acme.scope, acme.scope.narrowed_to(two.id)):
            with pytest.raises(ScopeDenied):
                narrow_scope(scope)
            assert [memory.text for memory in Memory.objects.all()] == ["mine"]


def test_where_no_scope_is_open_none_is_narrowed(acme: Caller) -> None:
    with pytest.raises(ScopeDenied, match="no scope is open"):
        narrow_scope(acme.scope)
    with transaction.atomic():
        with pytest.raises(ScopeDenied, match="no scope is open"):
            narrow_scope(acme.scope)
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            Tenant.objects.count()


def test_after_a_scope_inside_a_transaction_nothing_is_left_of_it(acme: Caller) -> None:
    with transaction.atomic():
        with open_scope(acme.scope):
            assert Tenant.objects.count() == 1
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            Tenant.objects.count()


def test_the_web_login_cannot_become_the_operator(record: None) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), open_operator():
        pass


def test_a_turn_and_an_event_never_change(acme: Caller) -> None:
    turn_id = acme.turn("as it was said")["turn_id"]
    for statement in ("UPDATE memories_turn SET content = 'other'", "DELETE FROM memories_turn"):
        with pytest.raises(DatabaseError), open_scope(acme.scope), connection.cursor() as cursor:
            cursor.execute(statement)
        with login("mneme_owner"), pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("UPDATE memories_turn SET content = 'other' WHERE id = %s", [turn_id])
    with login("mneme_owner"), pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("UPDATE tenants_event SET kind = 'other.kind'")


@pytest.mark.parametrize("name", ["mneme_web", "mneme_worker"])
def test_the_walls_stand_for_the_logins_that_serve(record: None, name: str) -> None:
    with login(name):
        assert wall_faults() == []
        refuse_unsafe_login()


def test_the_owner_may_not_serve(record: None) -> None:
    with login("mneme_owner"), pytest.raises(UnsafeLogin, match="owns table memories_turn"):
        refuse_unsafe_login()


def test_a_request_waits_for_a_row_for_some_seconds_only(acme: Caller, superuser_dsn: str) -> None:
    acme.turn("first")
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as other:
        other.execute("SELECT FROM memories_session FOR UPDATE")
        start = time.monotonic()
        answer = acme.client.post(
            "/api/v1/turns/", {"user_id": "u1", "session_id": "s1", "content": "x"}, format="json"
        )
        assert 4 < time.monotonic() - start < 9
        assert answer.status_code == 503
        assert answer["Content-Type"] == "application/problem+json"
        assert int(answer["Retry-After"]) > 0
    acme.turn("second")


def test_the_operator_waits_as_the_server_says(record: None) -> None:
    with login("mneme_worker"), open_operator(), connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


def test_a_table_whose_compartments_restrict_nobody_is_a_fault(record: None, superuser_dsn: str) -> None:
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as owner:
        row = owner.execute("SELECT pg_get_expr(polqual, polrelid) FROM pg_policy WHERE polname = 'compartments'"
                            " AND polrelid = 'memories_turn'::regclass").fetchone()  # fmt: skip
        assert row is not None
        owner.execute("DROP POLICY compartments ON memories_turn")
        try:
            assert wall_faults() == ["compartments do not restrict table memories_turn"]
        finally:
            owner.execute(
                f"CREATE POLICY compartments ON memories_turn AS RESTRICTIVE TO mneme_tenant USING ({row[0]})"
            )
    assert wall_faults() == []
