"""Drift is found on both engines, told, and mended; what is on its way is none."""

import logging
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from backends.search import names
from backends.search.changes import Change
from memories.documents.registry import body_of
from memories.models import Memory, OutboxEntry
from memories.services.drift import find_drift, mend_drift
from memories.services.engine import embedder, search_engine
from memories.services.searched import rows_with_vectors
from memories.tasks import check_drift_task
from tenants.models import Event
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login
from tests.memories.indexes import fresh_indexes

__all__ = ["fresh_indexes"]
pytestmark = pytest.mark.usefixtures("fresh_indexes")


def check(*arguments: str) -> tuple[int, str]:
    """Run the command; return how it ended, and what it said."""
    out = StringIO()
    with login("mneme_worker"):
        try:
            call_command("check_drift", *arguments, stdout=out)
        except SystemExit as end:
            return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def in_engine(caller: Caller, memory_id: str) -> int | None:
    with login("mneme_worker"):
        found = search_engine().versions(caller.key.tenant_id, names.EPISODIC, [UUID(memory_id)])
    return found.get(UUID(memory_id))


def apply(*changes: Change) -> None:
    with login("mneme_worker"):
        assert {outcome.state.value for outcome in search_engine().apply(changes)} == {"applied"}


def body(memory_id: str) -> Any:
    with login("mneme_worker"), open_operator():
        (row,) = rows_with_vectors([(names.EPISODIC, UUID(memory_id))], model=embedder().model).values()
    return body_of(row)


def lose(caller: Caller, memory_id: str) -> None:
    """Take a document out of the engine, behind the back of the outbox."""
    version = in_engine(caller, memory_id)
    assert version is not None
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute("SELECT setval('memories_version_seq', nextval('memories_version_seq') + 10)")
    apply(
        Change(
            tenant_id=caller.key.tenant_id, kind=names.EPISODIC, id=UUID(memory_id), version=version + 1, body=None
        )
    )


def make_older(memory_id: str) -> None:
    """Change a row behind the back of its triggers, as a lost write to the engine would look like."""
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memories_memory DISABLE TRIGGER USER")
        cursor.execute("UPDATE memories_memory SET doc_version = doc_version + 1 WHERE id = %s", [memory_id])
        cursor.execute("ALTER TABLE memories_memory ENABLE TRIGGER USER")


def extra(caller: Caller, like: str) -> Change:
    return Change(tenant_id=caller.key.tenant_id, kind=names.EPISODIC, id=uuid4(), version=7, body=body(like))


@pytest.fixture
def ids(acme: Caller, globex: Caller, drain: Callable[[], None]) -> list[str]:
    """Return the memories of acme, all in the engine; globex has its own."""
    made = [acme.turn(f"the otter number {number}", session_id=f"s{number}")["memory_id"] for number in range(6)]
    globex.turn("the heron is called Ash")
    drain()
    return made


def test_where_both_are_equal_there_is_no_drift(ids: list[str]) -> None:
    assert check() == (0, "2 tenants compared, 0 documents differ.\n")


def test_missing_older_and_extra_documents_are_found_told_and_mended(
    ids: list[str], acme: Caller, globex: Caller, drain: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    lose(acme, ids[0])
    make_older(ids[1])
    alone = extra(acme, ids[2])
    apply(alone)
    with caplog.at_level(logging.ERROR, logger="memories.services.drift"):
        code, said = check()
    assert code == 1
    assert "episodic: 1 missing, 1 older, 1 extra" in said
    assert "1 extra" in caplog.text
    with open_scope(acme.system):
        event = Event.objects.get(kind="drift.found")
    assert {str(one) for one in event.object_ids} == {ids[0], ids[1], str(alone.id)}
    assert event.data == {"memory_type": "episodic", "missing": 1, "older": 1, "newer": 0, "extra": 1}
    assert check("--tenant", "globex")[0] == 0
    assert check("--tenant", "acme")[0] == 1
    assert check("--repair") == (0, f"tenant {acme.key.tenant_id}, episodic: 1 missing, 1 older, 1 extra\n"
                                    "  3 mended\n2 tenants compared, 0 documents differ.\n")  # fmt: skip
    assert in_engine(acme, str(alone.id)) is None
    assert check()[0] == 0  # what is missing is on its way
    drain()
    assert check()[0] == 0
    assert in_engine(acme, ids[0]) is not None
    assert len(acme.recall("otter number", overlay=False)["results"]) == 6
    with pytest.raises(CommandError, match="no tenant nobody"):
        check("--tenant", "nobody")


def test_what_the_outbox_names_is_no_drift(ids: list[str], acme: Caller) -> None:
    with login("mneme_owner"):
        Memory.objects.filter(id=ids[0]).update(agent_id="moved")
        Memory.objects.filter(id=ids[1]).delete()
    acme.turn("the otter that nobody indexed")
    assert check()[0] == 0


def test_an_engine_that_is_ahead_of_the_record_is_found_and_overtaken(
    ids: list[str], acme: Caller, drain: Callable[[], None]
) -> None:
    version = in_engine(acme, ids[0])
    assert version is not None
    ahead = Change(tenant_id=acme.key.tenant_id, kind=names.EPISODIC, id=UUID(ids[0]), version=version + 10_000,
                   body={**body(ids[0]), "turn": "a badger"})  # fmt: skip
    apply(ahead)
    code, said = check("--repair")
    assert (code, "1 newer" in said) == (0, True)
    drain()
    assert check()[0] == 0
    held = in_engine(acme, ids[0])
    assert held is not None
    assert held > ahead.version
    assert {hit["memory_id"] for hit in acme.recall("otter number", overlay=False)["results"]} == set(ids)


def test_documents_of_a_tenant_that_is_gone_are_found_and_removed(ids: list[str], acme: Caller) -> None:
    gone = uuid4()
    left = replace(extra(acme, ids[0]), tenant_id=gone)
    left = replace(left, body={**(left.body or {}), "tenant_id": str(gone)})
    apply(left)
    code, said = check()
    assert (code, f"tenant {gone}, episodic: 1 extra" in said) == (1, True)
    assert check("--repair")[0] == 0
    assert check() == (0, "2 tenants compared, 0 documents differ.\n")


def test_the_daily_task_raises_the_alarm_and_changes_nothing(ids: list[str], acme: Caller) -> None:
    lose(acme, ids[0])
    with login("mneme_worker"):
        check_drift_task()
        with open_operator():
            assert Event.objects.filter(kind="drift.found").count() == 1
            assert OutboxEntry.objects.count() == 0


def test_a_later_look_finds_what_was_repaired_while_somebody_wrote(
    ids: list[str], acme: Caller, drain: Callable[[], None]
) -> None:
    lose(acme, ids[0])
    now = timezone.now()
    with login("mneme_worker"):
        (drift,) = find_drift(acme.key.tenant_id, engine=search_engine(), now=now)
        with login("mneme_owner"):
            Memory.objects.filter(id=ids[0]).update(agent_id="moved")  # its own entry brings it
        assert mend_drift(drift, engine=search_engine(), now=now) == 0
    drain()
    assert check()[0] == 0


def test_the_record_is_read_page_by_page_and_nothing_is_passed_over(
    acme: Caller, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.services.compare.PAGE", 2)
    monkeypatch.setattr("memories.services.compare.SLICE", 2)
    made = [acme.turn(f"line {number}", session_id=f"s{number}")["memory_id"] for number in range(4)]
    drain()
    assert check() == (0, "1 tenants compared, 0 documents differ.\n")
    for memory_id in made:
        lose(acme, memory_id)
    ended, said = check("--repair")
    assert (ended, "4 missing" in said, "4 mended" in said) == (0, True, True)
    drain()
    assert all(in_engine(acme, memory_id) for memory_id in made)
