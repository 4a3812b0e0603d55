"""No transaction of the record is open while an engine or an embedder is asked: looked at from the server's side."""

import threading
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from consolidation.services.due import asked
from consolidation.services.work import work
from memories.documents.registry import definitions
from memories.services.engine import search_engine
from tests.conftest import Caller, elasticsearch_url, login
from tests.embedding_server import KEY, embedding_server
from tests.forwarding_server import forwarding_server
from tests.plugin import DATABASE, database_url

HELD = """
    SELECT pid, xact_start, usename FROM pg_stat_activity
    WHERE datname = current_database() AND usename LIKE 'mneme%' AND state LIKE 'idle in transaction%'
"""
LOOKS = 10


class Watch:
    """Looks at the server's sessions; what it saw open is kept."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self.looks = 0
        self.held: list[tuple[object, ...]] = []

    def look(self) -> None:
        """Note every transaction that is idle as long as the one who is asked waits for this look to end.

        A question is embedded beside the first scope, which ends by itself: only what outlasts many looks is held.
        """
        with psycopg.connect(self._dsn, dbname=DATABASE, autocommit=True) as server:
            held = set(server.execute(HELD).fetchall())
            for _ in range(LOOKS):
                if not held:
                    break
                time.sleep(0.1)
                held &= set(server.execute(HELD).fetchall())
            self.held += held
        self.looks += 1


@pytest.fixture
def watch(record: None, superuser_dsn: str) -> Watch:
    """Return the watch of a test."""
    return Watch(superuser_dsn)


@pytest.fixture
def remote(watch: Watch) -> Iterator[None]:
    """Set the site up with an embedder that looks while it is waited for."""
    with embedding_server() as server:
        server.meanwhile = watch.look
        before = settings.EMBEDDER
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = server.url, "e5-remote", KEY
        yield
        settings.EMBEDDER, settings.EMBEDDER_MODEL, settings.EMBEDDER_API_KEY = before, "", ""


def use_everything(acme: Caller, drain: Callable[[], None]) -> None:
    """Write, sync, embed, recall, supersede, erase and consolidate."""
    acme.turn("The otter is called Bramble")
    acme.recall("otter")
    drain()
    acme.recall("otter", explain=True)
    api = acme.client
    fact = api.post(
        "/api/v1/memories/", {"user_id": "u1", "text": "Ada lives in Leeds", "slot": "home"}, format="json"
    )
    api.post(f"/api/v1/memories/{fact.json()['id']}/correct/", {"text": "Ada lives in Leith"}, format="json")
    api.post("/api/v1/entities/", {"user_id": "u1", "entity_type": "pet", "name": "Bramble"}, format="json")
    drain()
    acme.recall("Where does Ada live?")
    for said in ("I like movies.", "I enjoy films.", "我喜欢看电影"):  # met by meaning, and not held for it
        acme.turn(said, session_id=said)
        with login("mneme_worker"):
            assert work(asked(None), clock=timezone.now).runs == 1


def test_the_watch_sees_a_transaction_that_is_held(watch: Watch) -> None:
    with psycopg.connect(database_url("mneme_web")) as idle:
        idle.execute("SELECT 1")
        watch.look()
    assert len(watch.held) == 1


def test_none_is_held_while_an_embedder_is_asked(
    acme: Caller, drain: Callable[[], None], remote: None, watch: Watch
) -> None:
    use_everything(acme, drain)
    assert watch.looks > 3
    assert watch.held == []


@pytest.mark.engines
def test_none_is_held_while_elasticsearch_is_asked(acme: Caller, drain: Callable[[], None], watch: Watch) -> None:
    with forwarding_server(elasticsearch_url(), watch.look) as (server, url):
        before = settings.SEARCH_URL
        settings.SEARCH_URL = url
        try:
            search_engine().ensure(definitions())
            use_everything(acme, drain)
        finally:
            settings.SEARCH_URL = before
    assert server.forwarded > 10
    assert watch.held == []


def test_none_is_held_while_the_postgres_engine_is_asked(
    acme: Caller, drain: Callable[[], None], watch: Watch, superuser_dsn: str
) -> None:
    """The engine is made to wait, by a lock on its tables, while the record's sessions are looked at."""
    acme.turn("The otter is called Bramble")
    drain()
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(acme.recall("otter")["results"])
        finally:
            connection.close()

    with psycopg.connect(superuser_dsn, dbname=DATABASE) as lock:
        lock.execute("LOCK TABLE engine.statistics, engine.posting IN ACCESS EXCLUSIVE MODE")
        asking = threading.Thread(target=ask)
        asking.start()
        wait_until_blocked(superuser_dsn)
        watch.look()
    asking.join()
    assert found
    assert watch.held == []


def wait_until_blocked(dsn: str) -> None:
    end = time.monotonic() + 10
    with psycopg.connect(dsn, dbname=DATABASE, autocommit=True) as server:
        while not server.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchall():
            assert time.monotonic() < end, "nothing waits for the lock"
            time.sleep(0.02)
