"""The contract on a real Elasticsearch, and what only it can show: raw bodies without any filter of ours."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from elasticsearch import ApiError, Elasticsearch

from backends.errors import Rejected
from backends.search import names
from backends.search.analysis import question_terms, terms
from backends.search.base import Credential, Reach
from backends.search.elasticsearch.analysis import INDEX_ANALYZER, SEARCH_ANALYZER
from backends.search.elasticsearch.descriptors import PRIVILEGES, ROLE, descriptors_of, reach_in
from backends.search.elasticsearch.engine import ElasticsearchEngine
from memories.documents.registry import definitions
from tests.backends.search_contract import SearchContract, axis, change
from tests.conftest import elasticsearch_url

CORPUS = [
    "Caroline's café at example.com cost 1,000.50 — E-4012, ORD-2026-00317; don't!",
    "我最喜欢的颜色是绿色。顺丰速运 SF 2026年3月1日 iPhone手机 ok",
    "The runners were running; she's relational, generously conditional flies U.S.A. a:b x_y foo-bar O'Neill’s",
    "日本語のテキスト カタカナ 한국어 텍스트 中 v2.3.1 192.168.0.1 ＡＢＣ１２３ naïve Straße 12:30",
    "What did they do when he was there? Who is it from?",
]


@pytest.mark.engines
class TestElasticsearch(SearchContract):
    """The main engine."""

    @pytest.fixture
    def engine(self) -> ElasticsearchEngine:
        """Return the engine with its indexes made."""
        engine = ElasticsearchEngine(elasticsearch_url())
        engine.ensure(definitions())
        return engine

    def raw(self, key: Credential) -> Elasticsearch:
        """Return a client that holds a tenant's key, as a thief of it would."""
        return Elasticsearch(elasticsearch_url()).options(api_key=key.secret)

    def test_a_raw_body_without_any_filter_returns_only_what_the_key_reaches(
        self, engine: ElasticsearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        one = replace(mine, subject_id=uuid4())
        doctor = replace(mine, compartments=("doctor",))
        documents = [change(reach, "badger", embedding=axis(0)) for reach in (mine, one, theirs, doctor)]
        self.put(engine, *documents)
        expected = {
            mine: {documents[0].id, documents[1].id},
            one: {documents[0].id, documents[1].id},
            doctor: {documents[0].id, documents[1].id, documents[3].id},
            theirs: {documents[2].id},
        }
        for reach, ids in expected.items():
            client = self.raw(self.grant(engine, reach))
            bodies: list[dict[str, Any]] = [
                {"query": {"match_all": {}}},
                {"query": {"match": {"turn": "badger"}}},
                {"knn": {"field": "embedding", "query_vector": axis(0), "k": 50, "num_candidates": 50}},
            ]
            for body in bodies:
                found = client.search(index=names.read_alias(names.EPISODIC), size=100, **body)["hits"]["hits"]
                assert {hit["_id"] for hit in found} == {names.document_id(reach.tenant_id, x) for x in ids}

    def test_a_key_reads_and_does_nothing_else(self, engine: ElasticsearchEngine, mine: Reach) -> None:
        client = self.raw(self.grant(engine, mine))
        index, place = names.read_alias(names.EPISODIC), str(mine.tenant_id)
        attempts: list[Callable[[], object]] = [
            lambda: client.index(
                index=names.write_alias(names.EPISODIC), document={"turn": "x"}, id="x", routing=place
            ),
            lambda: client.delete(index=names.write_alias(names.EPISODIC), id="x", routing=place),
            lambda: client.get(index=index, id="x", routing=place),
            lambda: client.termvectors(index=index, id="x", routing=place),
            lambda: client.field_caps(index=index, fields="*"),
            lambda: client.indices.get_mapping(index=index),
            lambda: client.security.create_api_key(name="more"),
            lambda: client.update_by_query(index=index),
            lambda: client.cluster.health(),
        ]
        for attempt in attempts:
            with pytest.raises(ApiError) as refused:
                attempt()
            assert refused.value.meta.status == 403

    def test_the_stored_role_descriptor_is_the_one_asked_for(self, engine: ElasticsearchEngine, mine: Reach) -> None:
        key = self.grant(engine, replace(mine, subject_id=uuid4()))
        stored = Elasticsearch(elasticsearch_url()).security.get_api_key(id=key.id)["api_keys"][0]["role_descriptors"]
        assert list(stored) == [ROLE]
        (entry,) = stored[ROLE]["indices"]
        assert stored[ROLE]["cluster"] == []
        assert sorted(entry["privileges"]) == sorted(PRIVILEGES)
        assert str(mine.tenant_id) in entry["query"]
        assert names.index_name(names.EPISODIC, 1) in entry["names"]

    def test_a_descriptor_with_more_rights_is_not_taken_for_a_reach(self, mine: Reach) -> None:
        good = descriptors_of(mine, ["mneme-episodic-v1"])
        assert reach_in(good) == mine
        entry = good[ROLE]["indices"][0]
        for wrong in (
            {},
            {ROLE: good[ROLE], "more": good[ROLE]},
            {ROLE: {**good[ROLE], "cluster": ["all"]}},
            {ROLE: {**good[ROLE], "indices": [entry, {"names": ["*"], "privileges": ["read"]}]}},
            {ROLE: {**good[ROLE], "indices": [{**entry, "privileges": ["all"]}]}},
            {ROLE: {**good[ROLE], "indices": [{**entry, "query": None}]}},
            {ROLE: {**good[ROLE], "indices": [{**entry, "query": {"bool": {"filter": entry["query"]["bool"]["filter"]
             + [{"terms": {"extra": ["x"]}}]}}}]}},
        ):  # fmt: skip
            with pytest.raises(Rejected):
                reach_in(wrong)
        with pytest.raises(Rejected):
            descriptors_of(mine, [])

    @pytest.mark.parametrize("text", CORPUS)
    def test_the_engine_analyses_text_as_we_do(self, engine: ElasticsearchEngine, text: str) -> None:
        client = Elasticsearch(elasticsearch_url())
        index = names.index_name(names.EPISODIC, 1)

        def analysed(analyzer: str) -> list[str]:
            tokens = client.indices.analyze(index=index, analyzer=analyzer, text=text)["tokens"]
            return [token["token"] for token in tokens]

        assert analysed(INDEX_ANALYZER) == terms(text)
        searched = list(dict.fromkeys(analysed(SEARCH_ANALYZER)))
        assert (searched or question_terms(text)) == question_terms(text)
