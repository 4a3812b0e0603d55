"""Sync: what is acknowledged arrives, whatever fails on the way."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from backends.search import names
from backends.search.connect import connect
from memories.models import Memory, MemoryVector, OutboxEntry
from memories.services import outbox
from memories.services.claim import LEASE, claim
from memories.services.embed_rows import embed_rows
from memories.services.engine import embedder, search_engine
from memories.services.searched import rows_with_vectors
from memories.services.sync import sync
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login

pytestmark = pytest.mark.usefixtures("each_engine")

NOWHERE = {"postgres": "postgresql://mneme_worker:x@127.0.0.1:9/none", "elasticsearch": "http://127.0.0.1:9"}


def entries() -> Sequence[OutboxEntry]:
    with open_operator():
        return list(OutboxEntry.objects.order_by("id"))


def test_a_bulk_change_by_sql_reaches_the_outbox(acme: Caller, drain: Callable[[], None]) -> None:
    for number in range(3):
        acme.turn(f"note {number}")
    drain()
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute("UPDATE memories_memory SET agent_id = 'moved'")
    with login("mneme_worker"):
        assert len(entries()) == 3
    drain()
    assert len(acme.recall("note", overlay=False, filters={"agent_id": "moved"})["results"]) == 3


def test_versions_change_with_what_they_stand_for(acme: Caller) -> None:
    first = acme.turn("short note", session_id="s")["memory_id"]

    def versions() -> tuple[int, int]:
        with open_scope(acme.scope):
            memory = Memory.objects.get(id=first)
        return memory.version, memory.doc_version

    before = versions()
    acme.turn("the next line", session_id="s")
    after = versions()
    assert after[0] == before[0]
    assert after[1] > before[1]
    with login("mneme_owner"):
        Memory.objects.filter(id=first).update(agent_id="x")
    assert versions()[0] == versions()[1] > after[1]
    settled = versions()
    with login("mneme_owner"):
        Memory.objects.filter(id=first).update(agent_id="x")
    assert versions() == settled


def test_an_engine_that_is_away_loses_nothing_and_is_caught_up_with(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    acme.turn("the otter is called Bramble")
    now = timezone.now()
    with login("mneme_worker"):
        failed = sync(connect(NOWHERE[each_engine]), model=embedder().model, now=now)
        assert (failed.claimed, failed.failed) == (1, 1)
        (entry,) = entries()
        assert (entry.attempts, entry.error, entry.claimed_until) == (1, "Unavailable", None)
        assert entry.due_at > now
        assert not sync(search_engine(), model=embedder().model, now=now).claimed
    here = settings.SEARCH_URL
    settings.SEARCH_URL = NOWHERE[each_engine]
    answer = acme.recall("otter")
    assert [hit["text"] for hit in answer["results"]] == ["the otter is called Bramble"]
    assert answer["degraded"] == ["search"]
    settings.SEARCH_URL = here
    with login("mneme_worker"):
        assert sync(search_engine(), model=embedder().model, now=now + timedelta(seconds=5)).applied == 1
    drain()
    assert len(acme.recall("otter", overlay=False)["results"]) == 1


def test_a_drain_that_dies_leaves_its_entries_to_the_next(acme: Caller) -> None:
    acme.turn("the otter is called Bramble")
    now = timezone.now()
    with login("mneme_worker"):
        assert len(claim(10, now=now)) == 1
        assert claim(10, now=now) == []
        assert len(claim(10, now=now + LEASE + timedelta(seconds=1))) == 1


def test_a_change_during_a_drain_is_not_settled_with_it(acme: Caller) -> None:
    acme.turn("the otter is called Bramble", session_id="s")
    now = timezone.now()
    with login("mneme_worker"):
        claimed = claim(10, now=now)
    acme.turn("a neighbour arrives", session_id="s")
    with login("mneme_worker"):
        outbox.settle(claimed, visible_after_s=0, now=now)
        outbox.put_off(claimed, code="late", now=now)
        assert claimed[0].object_id in {entry.object_id for entry in entries()}
        assert {entry.attempts for entry in entries()} == {0}


def test_drains_at_once_do_each_entry_once(acme: Caller) -> None:
    turns = [{"user_id": "u1", "session_id": "s1", "content": f"note {number}"} for number in range(60)]
    assert acme.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201

    def run(_: int) -> int:
        try:
            return len(claim(20, now=timezone.now()))
        finally:
            connection.close()

    with login("mneme_worker"), ThreadPoolExecutor(max_workers=4) as pool:
        claimed = list(pool.map(run, range(4)))
    assert sum(claimed) == 60


def test_a_memory_erased_while_it_is_embedded_is_passed_over(acme: Caller, drain: Callable[[], None]) -> None:
    kept, gone = acme.turn("otter " * 100)["memory_id"], acme.turn("heron " * 100)["memory_id"]
    with login("mneme_worker"), open_operator():
        keys = [(names.EPISODIC, kept), (names.EPISODIC, gone)]
        rows = list(rows_with_vectors(keys, model=embedder().model).values())
    with login("mneme_owner"):
        Memory.objects.filter(id=gone).delete()
    with login("mneme_worker"):
        assert embed_rows(rows, embedder(), until=0.0).done == 2
        with open_operator():
            assert [str(vector.memory_id) for vector in MemoryVector.objects.all()] == [kept]
    with open_scope(acme.scope):
        assert [str(vector.memory_id) for vector in MemoryVector.objects.all()] == [kept]
    drain()
    assert {hit["memory_id"] for hit in acme.recall("heron otter", overlay=False)["results"]} == {kept}
