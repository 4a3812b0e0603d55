"""A cross-encoder behind HTTP: it orders an answer, and is done without."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from tests.conftest import Caller
from tests.reranking_server import KEY, RerankingServer, reranking_server

Drain = Callable[[], None]


@pytest.fixture
def server() -> Iterator[RerankingServer]:
    with reranking_server() as running:
        settings.RERANKER, settings.RERANKER_API_KEY, settings.RERANKER_MODEL = running.url, KEY, "m"
        yield running
        settings.RERANKER, settings.RERANKER_API_KEY, settings.RERANKER_MODEL = "none", "", ""


def test_it_orders_the_answer_and_a_server_that_fails_costs_nothing_else(
    acme: Caller, globex: Caller, drain: Drain, server: RerankingServer
) -> None:
    for number in range(8):
        acme.turn(f"the otter swims in river {number}", session_id=f"s{number}")
    wanted = acme.turn("the otter swims in river retto retto retto", session_id="s9")
    globex.turn("the otter of another: retto retto")
    drain()
    answer = acme.recall("otter", explain=True)
    assert answer["results"][0]["memory_id"] == wanted["memory_id"]
    assert answer["results"][0]["explain"]["parts"]["rerank"] > 0
    assert "the reranker" in answer["results"][0]["explain"]["words"]
    assert not any("another" in text for body in server.requests for text in body["documents"])
    stored = acme.client.get(f"/api/v1/recalls/{answer['recall_id']}/").json()
    assert stored["identical"] is True
    for status in (500, 400, 401):
        server.status = status
        answer = acme.recall("otter")
        assert answer["degraded"] == ["reranker"]
        assert len(answer["results"]) == 9
    server.status, server.wrong = 200, {"results": []}
    assert acme.recall("otter")["degraded"] == ["reranker"]
