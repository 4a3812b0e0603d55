"""Elasticsearch's semantic_text as one more leg: its model finds, the walls hold, and it is done without."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from elasticsearch import Elasticsearch

from backends.search import names
from backends.search.reach import Reach
from memories.services.engine import search_engine
from memories.services.reindex import reindex
from memory_site.start_report import report_native
from tests.conftest import Caller, elasticsearch_url, login
from tests.inference_server import InferenceServer, inference_server
from tests.memories.indexes import make_anew

pytestmark = pytest.mark.engines
Drain = Callable[[], None]
QUESTION = "Where does lutra live?"


@pytest.fixture
def server(record: None) -> Iterator[InferenceServer]:
    before = settings.SEARCH_URL
    settings.SEARCH_URL = elasticsearch_url()
    with inference_server() as running:
        settings.ELASTICSEARCH_SEMANTIC = running.embed_id
        make_anew()
        running.embedded.clear()
        yield running
        settings.ELASTICSEARCH_SEMANTIC = ""
        make_anew()
    settings.SEARCH_URL = before


def fill(acme: Caller, globex: Caller) -> str:
    """Write what shares no word with the question but one memory that only the model knows to be meant."""
    for number in range(12):
        acme.turn(f"the heron stands in pond {number}", session_id=f"s{number}")
    meant: str = acme.turn("an otter sleeps by the mill", session_id="m")["memory_id"]
    globex.turn("an otter of another tenant")
    acme.turn("an otter of another user", user_id="u2")
    return meant


def test_a_memory_is_found_by_the_engines_own_model_behind_the_walls(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    meant = fill(acme, globex)
    drain()
    assert report_native() == []
    assert any("an otter sleeps by the mill" in text for text in server.embedded)
    server.embedded.clear()
    answer = acme.recall(QUESTION, overlay=False, explain=True)
    assert server.embedded == [QUESTION]  # once, whatever the number of legs
    assert answer["degraded"] == []
    assert answer["explain"]["search"] == {"legs": ["lexical", "dense", "semantic"], "fusion": "portable"}
    hit = answer["results"][0]
    assert hit["memory_id"] == meant
    assert hit["explain"]["legs"]["semantic"] == {"rank": 1}
    assert hit["explain"]["parts"]["semantic"] > 0
    assert not any("another" in one["text"] for one in answer["results"])
    stored = acme.client.get(f"/api/v1/recalls/{answer['recall_id']}/").json()
    assert stored["identical"] is True


def test_full_documents_under_external_versions_keep_their_meaning(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    meant = fill(acme, globex)
    drain()
    with login("mneme_worker"):
        reindex()
    drain()
    assert acme.recall(QUESTION, overlay=False)["results"][0]["memory_id"] == meant
    index = Elasticsearch(elasticsearch_url()).search(index="mneme-episodic", size=50)
    assert all(hit["_source"]["meaning"] == hit["_source"]["turn"] for hit in index["hits"]["hits"])
    acme.client.delete(f"/api/v1/memories/{meant}/")
    drain()
    assert meant not in [hit["memory_id"] for hit in acme.recall(QUESTION, overlay=False)["results"]]


def test_a_model_that_is_away_keeps_no_memory_waiting(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    acme.turn("the badger digs")
    drain()
    for status in (500, 429, 400):
        server.status = status
        text = f"an otter with number {status} came by"
        acme.turn(text, session_id=f"n{status}")
        drain()
        answer = acme.recall(f"otter {status}", overlay=False, explain=True)
        assert answer["results"][0]["text"] == text
        assert answer["degraded"] == ["semantic"]
        assert answer["explain"]["search"]["legs"] == ["lexical", "dense"]
    assert acme.client.get("/api/v1/sync/").json()["dead_letters"] == 0
    server.status = 200
    with login("mneme_worker"):
        reindex()
    drain()
    found = acme.recall(QUESTION, overlay=False, explain=True)
    assert found["degraded"] == []
    assert "semantic" in found["results"][0]["explain"]["legs"]


def test_an_endpoint_that_is_not_there_is_said_and_the_portable_way_indexes_and_answers(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    settings.ELASTICSEARCH_SEMANTIC = "nothing-here"
    make_anew()
    mapping = Elasticsearch(elasticsearch_url()).indices.get_mapping(index="mneme-episodic")
    assert all("meaning" not in found["mappings"]["properties"] for found in mapping.values())
    (fault,) = report_native()
    assert "semantic_text was asked for and does not work here" in fault
    acme.turn("an otter sleeps by the mill")
    drain()
    answer = acme.recall("otter", overlay=False, explain=True)
    assert len(answer["results"]) == 1
    assert answer["degraded"] == ["semantic"]
    # The endpoint comes back before anybody has run setup_search: documents go without the field, and do not wait.
    settings.ELASTICSEARCH_SEMANTIC = server.embed_id
    acme.turn("another otter sleeps by the mill")
    drain()
    assert len(acme.recall("otter", overlay=False)["results"]) == 2


def test_the_filter_of_the_leg_is_inside(acme: Caller, globex: Caller, drain: Drain, server: InferenceServer) -> None:
    """Hundreds of another tenant's that are nearer push nothing out."""
    for start in range(0, 200, 100):
        turns = [
            {"user_id": "u1", "session_id": f"g{start + number}", "content": f"an otter {number}"}
            for number in range(100)
        ]
        assert globex.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json").status_code == 201
    for number in range(3):
        acme.turn(f"a heron stands {number}", session_id=f"h{number}")
    drain()
    answer = acme.recall(QUESTION, overlay=False, explain=True)
    assert len(answer["results"]) == 3
    assert all("semantic" in hit["explain"]["legs"] for hit in answer["results"])
    assert search_engine().native.semantic == server.embed_id


def test_the_engines_wall_holds_for_the_field_without_any_filter_of_ours(
    acme: Caller, globex: Caller, drain: Drain, server: InferenceServer
) -> None:
    fill(acme, globex)
    drain()
    reach = Reach(tenant_id=acme.key.tenant_id, subject_id=None, kinds=(names.EPISODIC,))
    key = search_engine().grant(reach, name="contract", expires_at=datetime.now(UTC) + timedelta(hours=1))
    holder = Elasticsearch(elasticsearch_url()).options(api_key=key.secret)
    chunks = "meaning.inference.chunks"
    near = {"query_vector": [1.0, 0.0, 0.0, 0.1], "k": 50, "num_candidates": 100}
    everything: dict[str, Any] = {"match_all": {}}
    bodies: list[dict[str, Any]] = [
        {"query": {"semantic": {"field": "meaning", "query": "lutra"}}},
        {"query": {"match": {"meaning": "lutra"}}},
        {"query": {"knn": {"field": "meaning", **near}}},
        {"knn": {"field": f"{chunks}.embeddings", **near}},
        {"query": {"nested": {"path": chunks, "query": everything, "inner_hits": {"size": 50}}}},
        {"query": everything, "fields": ["_inference_fields"]},
        {"query": everything, "highlight": {"fields": {"meaning": {"type": "semantic", "number_of_fragments": 5}}}},
        {"size": 0, "aggs": {"all": {"nested": {"path": chunks}, "aggs": {"top": {"top_hits": {"size": 50}}}}}},
        {"size": 0, "aggs": {"all": {"global": {}, "aggs": {"top": {"top_hits": {"size": 50}}}}}},
    ]
    for body in bodies:
        found = json.dumps(holder.search(index=names.read_alias(names.EPISODIC), **{"size": 50, **body}).body)
        assert str(acme.key.tenant_id) in found
        assert "another tenant" not in found
        assert str(globex.key.tenant_id) not in found
