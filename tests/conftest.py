"""The cast: two tenants with the same external ids, acme and globex; and the ways to reach them."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from pytest_socket import socket_allow_hosts
from rest_framework.test import APIClient

from memories.documents.registry import definitions
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine, token_encoder
from memories.services.outbox import VISIBLE_MARGIN_S
from memories.services.sync import sync
from memory_site.celery import app as celery_app
from memory_site.stack.stack import Stack
from memory_site.stack.valkey import Valkey
from tenants.models import ApiKey
from tenants.scope import Scope
from tenants.services.authenticate import scope_of
from tenants.services.counters import connected, counters
from tenants.services.create_tenant import create_tenant, system_scope
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_scope
from tests.plugin import DATABASE, PASSWORDS, database_url

celery_app.set_default()

TRUNCATE = """
    TRUNCATE auth_user, django_session, axes_accessattempt,
             tenants_tenant, tenants_event, tenants_chainhead, tenants_offboarding, memories_indexrebuild,
             engine.document, engine.posting, engine.facet, engine.passage, engine.statistics, engine.credential
    RESTART IDENTITY CASCADE
"""


def pytest_runtest_setup() -> None:
    """Let tests reach this machine and nothing else."""
    socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)


@contextmanager
def login(name: str) -> Iterator[None]:
    """Run the block under another database login: mneme_owner, mneme_web or mneme_worker."""
    before = (connection.settings_dict["USER"], connection.settings_dict["PASSWORD"], settings.SEARCH_URL)
    connection.close()
    connection.settings_dict.update(USER=name, PASSWORD=PASSWORDS[name])
    if settings.SEARCH_URL.startswith("postgresql"):
        settings.SEARCH_URL = database_url(name)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(USER=before[0], PASSWORD=before[1])
        settings.SEARCH_URL = before[2]


@pytest.fixture(scope="session")
def django_db_setup(superuser_dsn: str, django_db_blocker: DjangoDbBlocker) -> None:
    """Migrate as the owner; tests then connect as web or worker, as in life."""
    with django_db_blocker.unblock(), login("mneme_owner"):
        call_command("migrate", verbosity=0)
        call_command("setup_search", verbosity=0)


@pytest.fixture
def record(django_db_setup: None, superuser_dsn: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give a test the real database with real transactions, and empty it afterwards as the owner."""
    with django_db_blocker.unblock():
        yield
        connection.close()
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as owner:
        owner.execute(TRUNCATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One tenant with its first key, and a client that sends it."""

    slug: str
    key: ApiKey
    secret: str
    client: APIClient

    @property
    def scope(self) -> Scope:
        """Return the scope of the key."""
        return scope_of(self.key, request_id="test")

    @property
    def system(self) -> Scope:
        """Return the operator's scope of the tenant."""
        return system_scope(self.key.tenant_id)

    def holding(self, *compartments: str, **fields: Any) -> "Caller":
        """Return a caller with another key of the tenant, which holds compartments and has other fields if named."""
        now = timezone.now()
        issued = issue_key(self.system, name="holding", compartments=compartments, now=now, **fields)
        return Caller(slug=self.slug, key=issued.key, secret=issued.secret, client=client_with(issued.secret))

    def turn(self, content: str, **fields: Any) -> dict[str, Any]:
        """Record a turn through the API and return its answer."""
        body = {"user_id": "u1", "session_id": "s1", "content": content, **fields}
        response = self.client.post("/api/v1/turns/", body, format="json")
        assert response.status_code == 201, response.content
        answer: dict[str, Any] = response.json()
        return answer

    def recall(self, query: str, **fields: Any) -> dict[str, Any]:
        """Ask through the API and return the answer."""
        body = {"user_id": "u1", "query": query, **fields}
        response = self.client.post("/api/v1/recall/", body, format="json")
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        return answer


def client_with(secret: str) -> APIClient:
    """Return an API client that sends a key."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def make_caller(slug: str) -> Caller:
    """Create a tenant and return its caller, whose key has been used today: that is no news in a test's events."""
    now = timezone.now()
    issued = create_tenant(slug=slug, name=slug.title(), now=now)
    with open_scope(system_scope(issued.key.tenant_id)), connection.cursor() as cursor:
        cursor.execute("SELECT tenants_touch_key(%s, %s, make_interval(0))", [issued.key.id, now])
    return Caller(slug=slug, key=issued.key, secret=issued.secret, client=client_with(issued.secret))


@pytest.fixture(params=["postgres", pytest.param("elasticsearch", marks=pytest.mark.engines)])
def each_engine(request: pytest.FixtureRequest, record: None) -> Iterator[str]:
    """Run a test on the Postgres engine, and under the marker `engines` on a real Elasticsearch."""
    before = settings.SEARCH_URL
    if request.param == "elasticsearch":
        settings.SEARCH_URL = elasticsearch_url()
        search_engine().ensure(definitions())
    yield request.param
    settings.SEARCH_URL = before


def elasticsearch_url() -> str:
    """Return the URL of the Elasticsearch to test on; without one the test fails and says what to do."""
    url = os.environ.get("ELASTICSEARCH_URL")
    assert url, "ELASTICSEARCH_URL is not set; run 'make test-engines', which starts an Elasticsearch"
    return url


@pytest.fixture
def acme(record: None) -> Caller:
    """Return the tenant the tests act for."""
    return make_caller("acme")


@pytest.fixture
def globex(record: None) -> Caller:
    """Return the other tenant, with the same external ids."""
    return make_caller("globex")


@pytest.fixture
def drain(record: None) -> Callable[[], None]:
    """Return a function that does what the worker does until nothing is due."""

    def run() -> None:
        with login("mneme_worker"):
            engine = search_engine()
            encoder = token_encoder()
            bring = partial(
                sync, engine, model=embedder().model, token_model=None if encoder is None else encoder.model
            )
            while bring(now=timezone.now()).claimed or embed(embedder(), encoder=encoder, now=timezone.now()).claimed:
                pass
            engine.refresh()
            visible = timedelta(seconds=engine.visible_after_s + VISIBLE_MARGIN_S + 1)
            bring(now=timezone.now() + visible)

    return run


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[Valkey]:
    """Start a Valkey for the session."""
    with tempfile.TemporaryDirectory(prefix="mneme-valkey-", ignore_cleanup_errors=True) as folder:
        server = Valkey(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def valkey(valkey_server: Valkey) -> Iterator[Valkey]:
    """Let the site count in a real, empty Valkey; without this fixture nobody listens where it looks for one."""
    before = settings.REDIS_URL
    settings.REDIS_URL = valkey_server.address
    connected.cache_clear()  # a client that rests after a failure
    with redis.Redis.from_url(valkey_server.address) as client:
        client.flushall()
    yield valkey_server
    counters().close()
    settings.REDIS_URL = before


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveStack:
    """A whole running Mneme: web, worker, beat and sealer as processes of their own, and a key of each tenant."""

    stack: Stack
    keys: dict[str, str]

    @property
    def url(self) -> str:
        """Return the URL of the web."""
        return self.stack.url


@pytest.fixture(scope="session")
def live_stack() -> Iterator[LiveStack]:
    """Start a whole Mneme for the session, apart from the database of the other tests."""
    with (
        tempfile.TemporaryDirectory(prefix="mneme-live-", ignore_cleanup_errors=True) as folder,
        Stack(Path(folder), web_workers=1, worker_processes=1) as stack,
    ):
        yield LiveStack(stack=stack, keys={slug: stack.create_tenant(slug) for slug in ("acme", "globex")})
