"""Elasticsearch's rrf: the body that would be sent, and what answers where the engine does not know it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from elasticsearch import ApiError, Elasticsearch

from backends.search import names
from backends.search.base import Query, Statistics, Where
from backends.search.elasticsearch import queries
from backends.search.elasticsearch.descriptors import FUSION_PRIVILEGES, ROLE
from backends.search.elasticsearch.engine import ElasticsearchEngine
from backends.search.elasticsearch.scoring import matching
from backends.search.native import Native
from backends.search.reach import Reach
from memories.documents.registry import definitions
from memories.services.engine import search_engine
from memory_site.start_report import report_native
from tests.backends.made import MORNING, axis, change
from tests.conftest import Caller, elasticsearch_url

TENANT, ADA, OLD = UUID(int=1), UUID(int=2), UUID(int=3)
REACH = Reach(tenant_id=TENANT, subject_id=ADA, kinds=(names.EPISODIC,), compartments=("doctor",))
QUERY = Query(
    reach=REACH, text="otter", vector=[1.0, 0.0], author="Ada", where=Where(judged_at=MORNING), without=(OLD,),
    candidates=10, window_weight=2.0, dense_weight=0.5, semantic_weight=0.25, rank_constant=7,
)  # fmt: skip
COUNTS = Statistics(documents=9, frequencies={"otter": (2, 3)}, turn_length=5.0, window_length=20.0)
NOTHING = Statistics(documents=0, frequencies={})
FILTER = [
    {"term": {"tenant_id": str(TENANT)}},
    {"terms": {"kind": ["episodic"]}},
    {"terms": {"compartments": ["doctor", "none"]}},
    {"terms": {"subject_id": [str(ADA), "none"]}},
    {"bool": {"must_not": [{"range": {"expires_at": {"lte": MORNING.isoformat()}}}]}},
    {
        "bool": {
            "filter": [
                {"bool": {"must_not": [{"exists": {"field": "closed_at"}}]}},
                {"bool": {"must_not": [{"range": {"valid_to": {"lte": MORNING.isoformat()}}}]}},
            ]
        }
    },
    {"bool": {"must_not": [{"ids": {"values": [f"{TENANT}:{OLD}"]}}]}},
]


def knn(field: str, vector: list[float]) -> dict[str, Any]:
    return {"field": field, "query_vector": vector, "k": 10, "num_candidates": 40, "filter": FILTER}


def test_the_body_has_every_leg_with_its_weight_and_the_filter_inside_each() -> None:
    words = matching(QUERY, COUNTS)
    assert len(words) == 2
    lexical = {
        "bool": {
            "must": [{"bool": {"should": words, "minimum_should_match": 1}}],
            "filter": FILTER,
            "should": [{"constant_score": {"filter": {"term": {"author": "Ada"}}, "boost": 0.9}}],
        }
    }
    assert queries.fused(QUERY, COUNTS, [0.0, 1.0, 0.0]) == {
        "size": 20,
        "_source": ["session_id", "author", "kind"],
        "retriever": {
            "rrf": {
                "retrievers": [
                    {"retriever": {"standard": {"query": lexical}}, "weight": 1.0},
                    {"retriever": {"knn": knn("embedding", [1.0, 0.0])}, "weight": 0.5},
                    {
                        "retriever": {"standard": {"query": {"knn": knn("meaning", [0.0, 1.0, 0.0])}}},
                        "weight": 0.25,
                    },
                ],
                "rank_constant": 7,
                "rank_window_size": 20,
            }
        },
    }
    by_words_alone = queries.fused(replace(QUERY, vector=None), COUNTS, None)
    assert by_words_alone is not None
    assert len(by_words_alone["retriever"]["rrf"]["retrievers"]) == 1
    assert queries.fused(replace(QUERY, vector=None), NOTHING, None) is None


@pytest.fixture
def native(record: None) -> Iterator[None]:
    before = settings.SEARCH_URL
    settings.SEARCH_URL, settings.ELASTICSEARCH_FUSION = elasticsearch_url(), "native"
    search_engine().ensure(definitions())
    yield
    settings.SEARCH_URL, settings.ELASTICSEARCH_FUSION = before, "portable"


@pytest.mark.engines
def test_where_the_engine_does_not_know_it_that_is_said_and_the_site_fuses(
    acme: Caller, globex: Caller, drain: Callable[[], None], native: None
) -> None:
    acme.turn("the otter is called Bramble")
    globex.turn("the otter of another")
    drain()
    (fault,) = report_native()
    assert "unknown retriever [rrf]" in fault
    assert "fused by the site" in fault
    answer = acme.recall("otter", overlay=False, explain=True)
    assert [hit["text"] for hit in answer["results"]] == ["the otter is called Bramble"]
    assert answer["degraded"] == []
    assert answer["explain"]["search"] == {"legs": ["lexical", "dense"], "fusion": "portable"}


@pytest.mark.engines
def test_keys_for_it_open_points_in_time_on_what_they_reach_and_nothing_more() -> None:
    engine = ElasticsearchEngine(elasticsearch_url(), native=Native(fusion=True))
    engine.ensure(definitions())
    mine, theirs = (Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,)) for _ in range(2))
    engine.apply([change(mine, "badger", embedding=axis(0)), change(theirs, "badger", embedding=axis(0))])
    engine.refresh()
    key = engine.grant(mine, name="contract", expires_at=datetime.now(UTC) + timedelta(hours=1))
    assert engine.name == "elasticsearch-native"
    assert engine.reach_of(key.id) == mine
    client = Elasticsearch(elasticsearch_url())
    stored = client.security.get_api_key(id=key.id)["api_keys"][0]["role_descriptors"][ROLE]
    assert sorted(stored["indices"][0]["privileges"]) == sorted(FUSION_PRIVILEGES)
    holder = client.options(api_key=key.secret)
    pit = holder.open_point_in_time(index=names.read_alias(names.EPISODIC), keep_alive="1m")["id"]
    try:
        hits = holder.search(pit={"id": pit}, query={"match_all": {}})["hits"]["hits"]
        assert [hit["_source"]["tenant_id"] for hit in hits] == [str(mine.tenant_id)]
    finally:
        client.close_point_in_time(id=pit)
    attempts: list[Callable[[], object]] = [
        lambda: holder.get(index=names.read_alias(names.EPISODIC), id="x", routing="x"),
        lambda: holder.index(index=names.write_alias(names.EPISODIC), document={"turn": "x"}, routing="x"),
    ]
    for attempt in attempts:
        with pytest.raises(ApiError) as refused:
            attempt()
        assert refused.value.meta.status == 403
