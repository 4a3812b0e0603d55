"""With an embedder on another server: from the API through the worker to recall, also while it is away."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from memories.models import MemoryVector, OutboxEntry
from memories.services.embed import embed
from memories.services.engine import embedder
from tenants.services.open_scope import open_operator, open_scope
from tests.conftest import Caller, login
from tests.embedding_server import KEY, POISON, EmbeddingServer, embedding_server


@pytest.fixture
def server(record: None) -> Iterator[EmbeddingServer]:
    """Set the site up with a server of its own."""
    with embedding_server() as running:
        before = settings.EMBEDDER
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = running.url, "e5-remote", KEY
        yield running
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = before, "", ""


def test_vectors_are_of_the_servers_model(acme: Caller, server: EmbeddingServer, drain: Callable[[], None]) -> None:
    acme.turn("We bought a small boat in spring", session_id="a")
    acme.turn("My sister plays the violin", session_id="b")
    drain()
    with open_scope(acme.scope):
        assert set(MemoryVector.objects.values_list("model", flat=True)) == {"e5-remote"}
    first = acme.recall("Do we own a vessel?", overlay=False, explain=True)["results"][0]
    assert first["text"] == "We bought a small boat in spring"
    assert first["explain"]["legs"]["dense"]["rank"] == 1


def test_a_server_that_is_away_costs_the_dense_leg_only_and_is_caught_up_with(
    acme: Caller, server: EmbeddingServer, drain: Callable[[], None]
) -> None:
    server.status = 503
    assert acme.turn("The otter is called Bramble")["indexed"] == "pending"
    drain()
    answer = acme.recall("otter", overlay=False)
    assert [hit["text"] for hit in answer["results"]] == ["The otter is called Bramble"]
    assert answer["degraded"] == ["embedder"]
    with login("mneme_worker"), open_operator():
        entry = OutboxEntry.objects.get()
        assert (entry.awaiting_vector, entry.error) == (True, "embedder:Unavailable")
    server.status = 200
    with login("mneme_worker"):
        assert embed(embedder(), now=timezone.now() + timedelta(seconds=90)).embedded == 1
    drain()
    assert acme.recall("otter", overlay=False)["degraded"] == []
    with open_scope(acme.scope):
        assert MemoryVector.objects.count() == 1


def test_one_text_that_the_server_refuses_holds_up_no_other(
    acme: Caller, server: EmbeddingServer, drain: Callable[[], None]
) -> None:
    acme.turn(f"an {POISON} remark about herons", session_id="a")
    for number in range(3):
        acme.turn(f"heron number {number}", session_id=f"b{number}")
    drain()
    with open_scope(acme.scope):
        assert MemoryVector.objects.count() == 3
    assert len(acme.recall("heron", overlay=False)["results"]) == 4
