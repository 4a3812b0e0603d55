"""What the engine or the embedder will never take is set aside, seen, and harms nothing else."""

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from backends.search.connect import connect
from memories.models import Memory, MemoryVector, OutboxEntry
from memories.services import outbox
from memories.services.claim import claim
from memories.services.engine import embedder
from memories.services.sync import sync
from tenants.models import Event
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login
from tests.embedding_server import KEY, POISON, embedding_server
from tests.memories.test_sync import NOWHERE, entries

UNSTORABLE = [1e6, 0.0, 0.0]
"""A vector that no engine stores: its length is not that of the index, its number too large for a half."""


def poison(acme: Caller, memory_id: str) -> None:
    """Give a memory a vector that no engine takes, as a fault of ours might."""
    with login("mneme_owner"):
        memory = Memory.objects.get(id=memory_id)
        MemoryVector.objects.create(
            tenant_id=acme.key.tenant_id,
            subject_id=memory.subject_id,
            memory_id=memory.id,
            model=embedder().model,
            vector=UNSTORABLE,
        )


def state(acme: Caller) -> dict[str, Any]:
    answer: dict[str, Any] = acme.client.get("/api/v1/sync/").json()
    return answer


@pytest.fixture
def poisoned(each_engine: str, acme: Caller, drain: Callable[[], None]) -> str:
    """Return the memory, of five, that no engine takes, after a drain that tried."""
    ids = [acme.turn(f"the otter number {number}", session_id=f"s{number}")["memory_id"] for number in range(5)]
    poison(acme, ids[2])
    drain()
    return str(ids[2])


def test_a_poisoned_document_is_set_aside_and_harms_no_other(
    poisoned: str, acme: Caller, globex: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    assert state(acme) == {"pending": 0, "oldest_s": None, "dead_letters": 1}
    assert state(globex)["dead_letters"] == 0
    found = {hit["memory_id"] for hit in acme.recall("otter number", overlay=False)["results"]}
    assert len(found) == 4
    assert poisoned not in found
    # What was acknowledged is recalled all the same: the record has it, and the overlay looks there.
    answer = acme.recall("otter number")
    assert len(answer["results"]) == 5
    assert answer["degraded"] == []
    with open_scope(acme.system):
        event = Event.objects.get(kind="document.given_up")
    assert [str(object_id) for object_id in event.object_ids] == [poisoned]
    assert event.data["documents"] == 1
    assert event.data["reason"].startswith("rejected:")
    assert Client().get("/health/ready/").json()["checks"]["sync"].startswith("1 dead letters")
    with login("mneme_worker"):
        assert claim(10, now=timezone.now() + timedelta(days=1)) == []


def test_the_alarm_is_in_the_log(
    each_engine: str, acme: Caller, drain: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    poison(acme, acme.turn("the otter is called Bramble")["memory_id"])
    with caplog.at_level(logging.ERROR, logger="memories.services.outbox"):
        drain()
    assert "1 documents (episodic)" in caplog.text
    assert "Bramble" not in caplog.text


def test_a_later_change_of_the_row_revives_it_by_itself(
    poisoned: str, acme: Caller, drain: Callable[[], None]
) -> None:
    with login("mneme_owner"):
        MemoryVector.objects.filter(memory_id=poisoned).delete()
    assert state(acme)["dead_letters"] == 0
    assert state(acme)["pending"] == 1
    drain()
    assert state(acme) == {"pending": 0, "oldest_s": None, "dead_letters": 0}
    assert poisoned in {hit["memory_id"] for hit in acme.recall("otter number", overlay=False)["results"]}


def test_the_command_tries_dead_letters_again(
    poisoned: str, acme: Caller, globex: Caller, drain: Callable[[], None]
) -> None:
    def retry(*arguments: str) -> str:
        out = StringIO()
        with login("mneme_worker"):
            call_command("retry_dead_letters", *arguments, stdout=out)
        return out.getvalue()

    assert retry("--tenant", "globex").startswith("0 ")
    assert retry("--kind", "catalog").startswith("0 ")
    assert state(acme)["dead_letters"] == 1
    with pytest.raises(CommandError, match="no tenant nobody"):
        retry("--tenant", "nobody")
    assert retry("--tenant", "acme", "--kind", "episodic").startswith("1 ")
    assert state(acme) == {"pending": 1, "oldest_s": pytest.approx(0, abs=60), "dead_letters": 0}
    drain()
    assert state(acme)["dead_letters"] == 1  # it is as poisonous as before
    assert retry().startswith("1 ")
    with open_scope(acme.system):
        assert [event.data["documents"] for event in Event.objects.filter(kind="document.retried")] == [1, 1]


def test_an_erasure_takes_a_dead_letter_along(poisoned: str, acme: Caller, drain: Callable[[], None]) -> None:
    with login("mneme_owner"):
        Memory.objects.all().delete()
    drain()
    assert state(acme) == {"pending": 0, "oldest_s": None, "dead_letters": 0}


def test_an_engine_that_is_away_kills_no_entry(acme: Caller, each_engine: str) -> None:
    acme.turn("the otter is called Bramble")
    nowhere = connect(NOWHERE[each_engine])
    with login("mneme_worker"):
        for number in range(outbox.FAILURES_MAX + 3):
            now = timezone.now() + timedelta(hours=number)
            assert sync(nowhere, model=embedder().model, now=now).failed == 1
        (entry,) = entries()
    assert (entry.attempts, entry.failures, entry.dead_at) == (outbox.FAILURES_MAX + 3, 0, None)


def test_what_fails_again_and_again_for_its_own_sake_is_given_up(acme: Caller, each_engine: str) -> None:
    acme.turn("the otter is called Bramble")
    with login("mneme_worker"):
        for number in range(outbox.FAILURES_MAX):
            now = timezone.now() + timedelta(hours=number)
            claimed = claim(10, now=now)
            assert len(claimed) == 1
            outbox.put_off(claimed, code="conflict:version", now=now, to_blame=True)
        (entry,) = entries()
        assert entry.dead_at is not None
        assert claim(10, now=now + timedelta(days=1)) == []


def test_a_row_that_no_document_can_be_made_of_stops_no_pass(
    acme: Caller, each_engine: str, drain: Callable[[], None]
) -> None:
    body = {"entity_type": "person", "name": "Bramble", "attributes": {"role": "otter"}}
    assert acme.client.post("/api/v1/entities/", body, format="json").status_code == 201
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute("UPDATE memories_entity SET attributes = '[1]'")
    acme.turn("the otter is called Bramble")
    drain()
    assert state(acme) == {"pending": 0, "oldest_s": None, "dead_letters": 1}
    with login("mneme_worker"):
        (entry,) = entries()
        assert (entry.kind, entry.error) == ("entity", "prepare:AttributeError")
    assert len(acme.recall("otter", overlay=False)["results"]) == 1


@pytest.fixture
def remote_embedder(record: None) -> Iterator[None]:
    """Set the site up with an embedding server that refuses a word."""
    with embedding_server() as running:
        before = settings.EMBEDDER
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = running.url, "e5-remote", KEY
        yield
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = before, "", ""


def test_a_text_that_the_embedder_refuses_is_given_up_and_found_by_its_words(
    remote_embedder: None, each_engine: str, acme: Caller, drain: Callable[[], None]
) -> None:
    acme.turn(f"an {POISON} remark about herons", session_id="a")
    acme.turn("heron number one", session_id="b")
    drain()
    assert state(acme) == {"pending": 0, "oldest_s": None, "dead_letters": 1}
    assert len(acme.recall("heron", overlay=False)["results"]) == 2
    answer = acme.recall("heron", explain=True)
    assert (len(answer["results"]), answer["degraded"]) == (2, [])
    with login("mneme_worker"), open_operator():
        entry = OutboxEntry.objects.get()
    assert (entry.awaiting_vector, entry.error) == (True, "embedder:Rejected")


def test_a_wrong_right_at_the_engine_kills_no_entry(acme: Caller, each_engine: str) -> None:
    if each_engine != "elasticsearch":
        pytest.skip("Postgres has its own: a login that may not become the operator cannot claim either")
    acme.turn("the otter is called Bramble")
    url = httpx.URL(settings.SEARCH_URL)
    stranger = connect(str(url.copy_with(username="elastic", password="wrong")))
    with login("mneme_worker"):
        assert sync(stranger, model=embedder().model, now=timezone.now()).failed == 1
        (entry,) = entries()
    assert (entry.failures, entry.dead_at, entry.error) == (0, None, "Refused")
