"""On a real Elasticsearch with a Basic licence: no silent downgrade, and an index a tenant instead."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from django.core.management import call_command
from rest_framework.test import APIClient

from memories.services.engine import search_engine
from memory_site.stack.elasticsearch import Elasticsearch
from memory_site.stack.engine import QUICK_START
from memory_site.start_report import report_native, report_walls
from tests.conftest import Caller

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def basic_node() -> Iterator[str]:
    """Start a node and take the trial licence from it."""
    with tempfile.TemporaryDirectory(prefix="mneme-basic-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        node = Elasticsearch(Path(folder) / "node", java_options=QUICK_START)
        try:
            url = node.start()
            httpx.post(f"{url}/_license/start_basic", params={"acknowledge": "true"}, timeout=30).raise_for_status()
            assert httpx.get(f"{url}/_license").json()["license"]["type"] == "basic"
            yield url
        finally:
            node.remove()


@pytest.fixture
def on_basic(basic_node: str, record: None) -> Iterator[Callable[[str], None]]:
    """Return a function that sets the site up on the node, with an isolation."""
    before = (settings.SEARCH_URL, settings.ISOLATION)

    def use(isolation: str) -> None:
        settings.SEARCH_URL, settings.ISOLATION = basic_node, isolation
        call_command("setup_search", verbosity=0)

    yield use
    settings.SEARCH_URL, settings.ISOLATION = before


def isolation_said() -> str:
    said: str = APIClient().get("/health/ready/").json()["checks"]["isolation"]
    return said


def test_an_index_a_tenant_keeps_tenants_apart(
    on_basic: Callable[[str], None], acme: Caller, globex: Caller, drain: Callable[[], None]
) -> None:
    on_basic("index")
    acme.turn("The otter is called Bramble")
    globex.turn("The otter is called Quill")
    acme.turn("The otter of another user is called Rush", user_id="u2")
    drain()
    for caller, text in ((acme, "The otter is called Bramble"), (globex, "The otter is called Quill")):
        answer = caller.recall("otter", overlay=False)
        assert [hit["text"] for hit in answer["results"]] == [text]
        assert answer["degraded"] == []
    (fault,) = search_engine().isolation_faults()
    assert "not the users of one tenant" in fault
    assert report_walls() == [fault]
    assert isolation_said() == fault


def test_document_level_security_that_the_licence_lacks_fails_closed_and_is_said(
    on_basic: Callable[[str], None],
    acme: Caller,
    drain: Callable[[], None],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    on_basic("document")
    assert "no document-level security" in capsys.readouterr().err
    acme.turn("The otter is called Bramble")
    drain()
    answer = acme.recall("otter", overlay=False)
    assert answer["results"] == []
    assert answer["degraded"] == ["search"]
    (fault,) = report_walls()
    assert "set ISOLATION=index" in fault
    assert fault in caplog.text
    assert isolation_said() == fault


def test_what_the_licence_lacks_of_the_engines_own_is_said_and_the_portable_way_answers(
    on_basic: Callable[[str], None], acme: Caller, drain: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    before = (settings.RERANKER, settings.ELASTICSEARCH_SEMANTIC, settings.ELASTICSEARCH_FUSION)
    settings.RERANKER, settings.ELASTICSEARCH_SEMANTIC = "elasticsearch:model", "model"
    settings.ELASTICSEARCH_FUSION = "native"
    try:
        on_basic("index")
        assert capsys.readouterr().err.count("was asked for and does not work here") == 3
        acme.turn("The otter is called Bramble")
        drain()
        answer = acme.recall("otter", overlay=False, explain=True)
        assert [hit["text"] for hit in answer["results"]] == ["The otter is called Bramble"]
        assert answer["degraded"] == ["semantic", "reranker"]
        assert answer["explain"]["search"] == {"legs": ["lexical", "dense"], "fusion": "portable"}
        assert len(report_native()) == 3
    finally:
        settings.RERANKER, settings.ELASTICSEARCH_SEMANTIC, settings.ELASTICSEARCH_FUSION = before
