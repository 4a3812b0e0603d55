"""A rebuild under a running writer: no recall misses what was acknowledged, and both stores are equal at the end."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from elasticsearch import Elasticsearch

from backends.search import names
from memories.models import IndexRebuild, Memory
from memories.services import rebuild as rebuilding
from memories.services.compare import differences
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine
from memories.services.rebuild import GenerationsDiffer, RebuildRunning, begin_rebuild, compare_tenant
from memories.services.sync import sync
from tenants.ids import uuid7
from tenants.services.open_scope import open_operator
from tests.conftest import Caller, login
from tests.memories.indexes import fresh_indexes, generations

__all__ = ["fresh_indexes"]
pytestmark = pytest.mark.usefixtures("fresh_indexes")
ROOT = Path(__file__).parent.parent.parent


def fill(caller: Caller, turns: int) -> list[str]:
    words = [f"zebra{number}" for number in range(turns)]
    for start in range(0, turns, 100):
        body = {
            "turns": [
                {"user_id": "u1", "session_id": f"s{word}", "content": f"the code word is {word}"}
                for word in words[start : start + 100]
            ]
        }
        assert caller.client.post("/api/v1/turns/batch/", body, format="json").status_code == 201
    return words


def rebuild(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild_index", *arguments, stdout=out)
    return out.getvalue()


def assert_equal(caller: Caller) -> None:
    for kind in names.KINDS:
        assert differences(caller.key.tenant_id, kind, engine=search_engine()) == []


class Background:
    """Threads that go on until the block ends; what fails in one fails the test."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.errors: list[BaseException] = []

    def loop(self, step: Callable[[], Any]) -> threading.Thread:
        def run() -> None:
            try:
                while not self.stop.is_set():
                    step()
            except BaseException as error:  # noqa: BLE001
                self.errors.append(error)
            finally:
                connection.close()

        thread = threading.Thread(target=run)
        thread.start()
        return thread


@contextmanager
def at_the_same_time(*steps: Callable[[], Any]) -> Iterator[None]:
    background = Background()
    threads = [background.loop(step) for step in steps]
    try:
        yield
    finally:
        background.stop.set()
        for thread in threads:
            thread.join()
    assert background.errors == []


def test_under_a_running_writer_no_recall_misses_what_was_acknowledged(  # noqa: PLR0915
    acme: Caller, globex: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    acknowledged = fill(acme, 200)
    fill(globex, 20)
    drain()
    acme.recall("zebra1")  # its credential is from before the rebuild
    removed = acme.turn("the code word is quagga")["memory_id"]
    asked = 0

    def write() -> None:
        word = f"zebra{len(acknowledged)}"
        acme.turn(f"the code word is {word}", session_id=f"s{word}")
        acknowledged.append(word)
        time.sleep(0.1)

    def drain_a_bit() -> None:
        sync(search_engine(), model=embedder().model, now=timezone.now())
        embed(embedder(), limit=16, now=timezone.now())
        time.sleep(0.05)

    def ask() -> None:
        nonlocal asked
        for word in (acknowledged[-1], acknowledged[asked * 7 % len(acknowledged)]):
            found = acme.recall(f"{word}?")
            assert found["degraded"] == []
            assert word in found["results"][0]["text"].split(), (word, found)
        asked += 1

    with login("mneme_worker"):
        with at_the_same_time(write, drain_a_bit, ask):
            said = rebuild("--kind", "episodic", "--slice", "10", "--pause", "0.05")
            with open_operator():
                assert IndexRebuild.objects.get().state == "done"
            end = time.monotonic() + 60
            while asked <= 5 or len(acknowledged) <= 205:
                assert time.monotonic() < end, (asked, len(acknowledged))
                time.sleep(0.1)
        assert "compared and in use" in said
        acme.client.delete(f"/api/v1/memories/{removed}/")
        drain()
        assert_equal(acme)
        assert_equal(globex)
    assert len(acme.recall(acknowledged[-1], overlay=False)["results"]) > 0
    if each_engine == "elasticsearch":
        assert generations(names.EPISODIC) == {
            "mneme-episodic-v1": {"mneme-episodic-previous"},
            "mneme-episodic-v2": {"mneme-episodic", "mneme-episodic-write"},
        }


def test_the_old_generation_keeps_nothing_that_is_erased_and_is_dropped_when_told(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    fill(acme, 20)
    drain()
    with login("mneme_worker"):
        rebuild("--kind", "episodic")
        with login("mneme_owner"):
            Memory.objects.all().delete()
        drain()
        if each_engine == "elasticsearch":
            client = Elasticsearch(settings.SEARCH_URL)
            client.indices.refresh(index="mneme-episodic-v*")
            assert client.count(index="mneme-episodic-v*")["count"] == 0
            with pytest.raises(CommandError, match="--drop-old"):
                rebuild("--kind", "episodic")
            assert "episodic: dropped" in rebuild("--drop-old")
            assert list(generations(names.EPISODIC)) == ["mneme-episodic-v2"]
        assert "episodic: there was no old generation" in rebuild("--drop-old")
        assert "in use" in rebuild("--kind", "episodic")


def test_a_rebuild_that_is_killed_goes_on_where_it_stopped(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    fill(acme, 100)
    drain()
    with login("mneme_worker"):
        host, name = connection.settings_dict, "mneme_worker"
        url = f"postgresql://{name}:{host['PASSWORD']}@{host['HOST']}:{host['PORT']}/{host['NAME']}"
        environment = {**os.environ, "DATABASE_URL": url, "SEARCH_URL": settings.SEARCH_URL}
        argv = [sys.executable, "manage.py", "rebuild_index", "--kind", "episodic", "--slice", "10", "--pause", "0.3"]
        with subprocess.Popen(argv, cwd=ROOT, env=environment) as process:
            deadline = time.monotonic() + 60
            while (written := _written()) < 30:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            with pytest.raises(CommandError, match="another process rebuilds it"):
                rebuild("--kind", "episodic")
            process.kill()
        assert written < 100
        if each_engine == "elasticsearch":
            assert generations(names.EPISODIC)["mneme-episodic-v2"] == {"mneme-episodic-next"}
        with login("mneme_owner"):
            Memory.objects.filter(text__endswith="zebra1").delete()  # it is in the half of the new generation
        with open_operator():
            IndexRebuild.objects.update(held_until=timezone.now())
        drain()
        said = rebuild("--kind", "episodic")
        assert "goes on after" in said
        assert_equal(acme)
    assert acme.recall("zebra77", overlay=False)["results"][0]["text"].endswith("zebra77")


def _written() -> int:
    with open_operator():
        return sum(IndexRebuild.objects.values_list("written", flat=True))


def test_who_was_silent_for_too_long_stops_when_another_took_over(acme: Caller, drain: Callable[[], None]) -> None:
    fill(acme, 5)
    drain()
    now = timezone.now()
    with login("mneme_worker"):
        engine, model = search_engine(), embedder().model
        silent = begin_rebuild(names.EPISODIC, engine=engine, holder=uuid7(), now=now)
        with pytest.raises(RebuildRunning):
            begin_rebuild(names.EPISODIC, engine=engine, holder=uuid7(), now=now + timedelta(seconds=60))
        later = now + rebuilding.LEASE + timedelta(seconds=1)
        begin_rebuild(names.EPISODIC, engine=engine, holder=uuid7(), now=later)
        with pytest.raises(RebuildRunning, match="took over"):
            rebuilding.backfill(silent, engine=engine, model=model, now=later)


def test_a_document_that_the_new_generation_will_not_take_keeps_the_old_one_in_use(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    if each_engine == "postgres":
        pytest.skip("rewritten in place, each document stays as it was")
    fill(acme, 5)
    drain()
    with login("mneme_worker"):
        engine, model = search_engine(), embedder().model
        now = timezone.now()
        begun = begin_rebuild(names.EPISODIC, engine=engine, holder=uuid7(), now=now)
        while rebuilding.backfill(begun, engine=engine, model=model, now=now):
            pass
        with open_operator():
            lost = Memory.objects.filter(memory_type=names.EPISODIC).order_by("id")[0]
        # Out of the new index, where its tombstone keeps the record's version from coming back.
        client = Elasticsearch(settings.SEARCH_URL)
        client.delete(
            index="mneme-episodic-v2",
            id=names.document_id(lost.tenant_id, lost.id),
            routing=str(lost.tenant_id),
            version=lost.doc_version + 100,
            version_type="external",
        )
        with pytest.raises(GenerationsDiffer, match=f"{lost.id} .missing."):
            compare_tenant(begun, acme.key.tenant_id, engine=engine, model=model, now=now)
    assert "mneme-episodic" in generations(names.EPISODIC)["mneme-episodic-v1"]
