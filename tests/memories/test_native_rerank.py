"""Elasticsearch's inference endpoint as the cross-encoder: it orders an answer, behind the same walls."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from memories.documents.registry import definitions
from memories.services.engine import search_engine
from memory_site.start_report import report_native
from tests.conftest import Caller, elasticsearch_url
from tests.inference_server import InferenceServer, inference_server

pytestmark = pytest.mark.engines
Drain = Callable[[], None]


@pytest.fixture
def server(record: None) -> Iterator[InferenceServer]:
    with inference_server() as running:
        before = settings.SEARCH_URL, settings.RERANKER
        settings.SEARCH_URL, settings.RERANKER = elasticsearch_url(), f"elasticsearch:{running.rerank_id}"
        search_engine().ensure(definitions())
        yield running
        settings.SEARCH_URL, settings.RERANKER = before


def native_said() -> str:
    said: str = APIClient().get("/health/ready/").json()["checks"]["native"]
    return said


def test_it_orders_the_answer_says_so_and_sees_nothing_foreign(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    for number in range(8):
        acme.turn(f"the otter swims in river {number}", session_id=f"s{number}")
    wanted = acme.turn("the otter swims in river retto retto retto", session_id="s9")
    globex.turn("the otter of another: retto retto")
    acme.turn("the otter of another user: retto retto", user_id="u2")
    drain()
    assert report_native() == []
    assert native_said() == "ok"
    settings.RERANKER = "none"
    plain = acme.recall("otter", explain=True)
    assert plain["results"][0]["memory_id"] != wanted["memory_id"]
    assert plain["explain"]["reranker"] is None
    settings.RERANKER = f"elasticsearch:{server.rerank_id}"
    server.reranked.clear()
    answer = acme.recall("otter", explain=True)
    assert answer["degraded"] == []
    assert answer["results"][0]["memory_id"] == wanted["memory_id"]
    assert answer["results"][0]["explain"]["parts"]["rerank"] > 0
    assert "the reranker" in answer["results"][0]["explain"]["words"]
    assert answer["explain"]["reranker"] == {"model": f"elasticsearch:{server.rerank_id}", "memories": 9}
    (body,) = server.reranked
    assert len(body["texts"]) == 9
    assert not any("another" in text for text in body["texts"])
    assert acme.client.get(f"/api/v1/recalls/{answer['recall_id']}/").json()["identical"] is True
    for status in (500, 429, 400):
        server.status = status
        answer = acme.recall("otter")
        assert answer["degraded"] == ["reranker"]
        assert len(answer["results"]) == 9


def test_an_endpoint_that_does_not_work_is_said_and_the_portable_way_answers(
    acme: Caller, drain: Drain, server: InferenceServer
) -> None:
    settings.RERANKER = "elasticsearch:nothing-here"
    acme.turn("the otter swims")
    drain()
    (fault,) = report_native()
    assert "rerank was asked for and does not work here" in fault
    assert native_said() == fault
    answer = acme.recall("otter", explain=True)
    assert len(answer["results"]) == 1
    assert answer["degraded"] == ["reranker"]
    assert answer["explain"]["reranker"] is None
