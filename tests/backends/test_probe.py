"""The probe on a real Elasticsearch: it reports what works, and what is missing by the engine's own word."""

import threading
import time
from collections.abc import Iterator

import pytest
from elasticsearch import Elasticsearch

from backends.errors import Rejected, Unavailable
from backends.search.connect import connect
from backends.search.elasticsearch.engine import ElasticsearchEngine
from backends.search.elasticsearch.prober import Prober
from backends.search.native import RERANK, RERANK_RETRIEVER, RRF, SEMANTIC, Capabilities, Native
from tests.conftest import elasticsearch_url
from tests.inference_server import InferenceServer, inference_server


@pytest.fixture
def server() -> Iterator[InferenceServer]:
    with inference_server() as running:
        yield running


def scratch() -> list[str]:
    return list(Elasticsearch(elasticsearch_url()).indices.get(index="mneme-scratch-*"))


@pytest.mark.engines
def test_what_works_is_found_and_what_the_engine_lacks_is_said(server: InferenceServer) -> None:
    native = Native(fusion=True, semantic=server.embed_id, rerank=server.rerank_id)
    engine = ElasticsearchEngine(elasticsearch_url(), native=native)
    found = engine.capabilities()
    assert {SEMANTIC, RERANK, RERANK_RETRIEVER} <= found.found
    assert found.licence == "trial"
    # The modules `rrf` and `linear` are in no distribution that can be had here.
    assert found.faults == {RRF: "400 unknown retriever [rrf]"}
    (fault,) = engine.native_faults()
    assert "unknown retriever [rrf]" in fault
    assert "fused by the site" in fault
    assert scratch() == []
    asked = len(server.reranked)
    assert engine.capabilities() is found
    assert len(server.reranked) == asked


@pytest.mark.engines
def test_an_endpoint_that_is_not_there_or_away_is_not_found(server: InferenceServer) -> None:
    engine = ElasticsearchEngine(elasticsearch_url(), native=Native(semantic="nothing-here", rerank="nothing-here"))
    faults = engine.capabilities().faults
    assert "not found" in faults[SEMANTIC]
    assert "not found" in faults[RERANK]
    assert len(engine.native_faults()) == 2
    server.status = 500
    away = ElasticsearchEngine(elasticsearch_url(), native=Native(rerank=server.rerank_id))
    assert "500" in away.capabilities().faults[RERANK]
    with pytest.raises(Unavailable, match="does not work"):
        away.rerank("otter", ["one"])
    assert scratch() == []


@pytest.mark.engines
def test_without_an_endpoint_the_others_are_tried(server: InferenceServer) -> None:
    found = ElasticsearchEngine(elasticsearch_url()).capabilities()
    assert found.untried == (SEMANTIC, RERANK)
    assert "not tried" in found.said()
    assert (server.embedded, server.reranked) == ([], [])


def test_what_was_away_is_tried_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Capabilities | Exception] = [
        Unavailable("away"), Capabilities(faults={RRF: "no"}), Capabilities(found=frozenset({RRF}))
    ]  # fmt: skip
    moment, may_answer = [100.0], threading.Event()
    may_answer.set()
    monkeypatch.setattr("time.monotonic", lambda: moment[0])

    def tried() -> Capabilities:
        assert may_answer.wait(10)
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    prober = Prober(tried, Native(fusion=True))
    for _ in range(2):
        assert not prober.works(RRF)
    assert len(answers) == 2
    moment[0] += 31
    for _ in range(2):
        assert prober.found().faults == {RRF: "no"}
    moment[0] += 301
    may_answer.clear()
    assert not prober.works(RRF)  # tried again in a thread; nobody waits for it
    may_answer.set()
    for _ in range(500):
        if prober.works(RRF):
            break
        time.sleep(0.01)
    assert prober.works(RRF)
    moment[0] += 10_000
    assert prober.works(RRF)
    assert not prober.works(RERANK)


def test_an_engine_with_nothing_of_its_own_says_so() -> None:
    engine = connect("postgresql://user:word@127.0.0.1:1/none")
    assert engine.capabilities() is None
    assert engine.native_faults() == []
    with pytest.raises(Rejected):
        engine.rerank("otter", ["one"])
