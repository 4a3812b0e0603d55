"""The contract on a real Elasticsearch, and what only it can show: raw bodies without any filter of ours."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from elasticsearch import ApiError, Elasticsearch

from backends.errors import Rejected, Unavailable
from backends.search import names
from backends.search.analysis import terms
from backends.search.base import SearchEngine, Where
from backends.search.changes import Change, State
from backends.search.elasticsearch import keys, layouts, writing
from backends.search.elasticsearch.analysis import INDEX_ANALYZER, analysis_settings
from backends.search.elasticsearch.descriptors import PRIVILEGES, ROLE, descriptors_of
from backends.search.elasticsearch.engine import ElasticsearchEngine
from backends.search.facets import LISTS, MICROS, filterable
from backends.search.filters import AnyOf, Field, Filter
from backends.search.reach import Credential, Reach
from backends.search.words import NEWER_STEMS
from memories.documents.registry import definitions
from tests.backends.asked_at_once import asked_at_once
from tests.backends.made import axis, change
from tests.backends.search_contract import SearchContract
from tests.conftest import elasticsearch_url

CORPUS = [
    "Caroline's café at example.com cost 1,000.50 — E-4012, ORD-2026-00317; don't! x² ½ ™ №5 ﬁne…",
    "我最喜欢的颜色是绿色。顺丰速运 SF 2026年3月1日 iPhone手机 ok 人々 〇一 𠀀𠀁",
    "The runners were running; she's relational, generously conditional flies U.S.A. a:b x_y foo-bar O'Neill’s",
    "日本語のテキスト カタカナ ｶﾞｽ ﾊﾟﾝ 한국어 텍스트 한국abc 中 v2.3.1 192.168.0.1 ＡＢＣ１２３ naïve Straße 12:30",
    "What did they do when he was there? Who is it from? when when",
    "👍🏽 thanks 👨‍👩‍👧‍👦 🇨🇳🇺🇸 ❤️ 1️⃣ #️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 :) 🏽 Ⓜ️ ok",
    'ΟΔΟΣ İstanbul Жизнь עברית צה"ל ภาษาไทย ລາວ မြန်မာ العربية ٣٤',
    "เมื่อวานฉันกินข้าวมันไก่ที่กรุงเทพ ๒๕๖๙ ก กับ wifiฟรี a\u0e34น ก\u0301ข ຂ້ອຍ\u200bຢູ່ວຽງຈັນ ရေသောက်တယ် ខ្ញុំនៅភ្នំពេញ ၁၂ ᥖᥭᥰ ꩫ",
    "def __init__(self, *, a_b: dict[str, Any] | None = None) -> None:  # noqa: E501\n\treturn f'{x!r}'",
    "SELECT * FROM t WHERE a >= 1e-5 AND b = 'it''s'; https://a.example/x?y=1&z=%20#top C:\\x\\y.txt",
    "biologists and dermatologist, universities, the past paste, evening, international, added, egged, erring",
    " ".join(" ".join(words for words in NEWER_STEMS.values()).split()),
    "x" * 600,
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

    def judged(self, engine: SearchEngine, mine: Reach, asked: Sequence[Filter]) -> list[set[UUID]]:
        """Ask the legs' own clause, under a key."""
        return asked_at_once(self.raw(self.grant(engine, mine)), names.read_alias(names.EPISODIC), mine, asked)

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

    def test_a_change_before_there_is_an_index_waits_and_makes_none(
        self, engine: ElasticsearchEngine, mine: Reach
    ) -> None:
        kind = f"later{uuid4().hex}"
        for body in ({"turn": "badger"}, None):
            early = Change(tenant_id=mine.tenant_id, kind=kind, id=uuid4(), version=1, body=body)
            with pytest.raises(Unavailable, match="setup_search"):
                engine.apply([early])
        with pytest.raises(Unavailable, match="setup_search"):
            self.grant(engine, replace(mine, kinds=(kind,)))
        assert not Elasticsearch(elasticsearch_url()).indices.exists(index=f"*{kind}*", allow_no_indices=False)

    def test_an_index_from_before_filters_waits_for_its_fields_and_leaves_old_documents_to_the_record(
        self, engine: ElasticsearchEngine, mine: Reach
    ) -> None:
        now = next(one for one in definitions() if one.kind == names.EPISODIC)
        later = {*LISTS, *MICROS.values()}
        properties = {name: field for name, field in now.mapping["properties"].items() if name not in later}
        kind = f"old{uuid4().hex}"
        before = replace(now, kind=kind, mapping={**now.mapping, "properties": properties})
        reach = replace(mine, kinds=(kind,))
        old = replace(change(mine, "badger", embedding=axis(0)), kind=kind)
        old = replace(old, body={**(old.body or {}), "kind": kind})
        new = replace(old, id=uuid4(), body={**(old.body or {}), **filterable({"memory_type": "episodic"})})
        asked = Where(filters=AnyOf(field=Field(name="tags"), values=("tea",)))
        client, index = Elasticsearch(elasticsearch_url()), names.index_name(kind, 1)
        try:
            engine.ensure([before])
            assert self.put(engine, old, new) == [State.APPLIED, State.RETRY]
            client.indices.refresh(index=index)
            for text, vector in (("badger", None), ("nowhere", axis(0))):
                assert set(self.find(engine, reach, text, vector=vector, where=asked)) == {old.id}
            engine.ensure([replace(now, kind=kind)])
            assert self.put(engine, new) == [State.APPLIED]
            client.indices.refresh(index=index)
            for text, vector in (("badger", None), ("nowhere", axis(0))):
                assert set(self.find(engine, reach, text, vector=vector, where=asked)) == {old.id}
        finally:
            Elasticsearch(elasticsearch_url()).indices.delete(
                index=names.index_name(kind, 1), ignore_unavailable=True
            )

    @pytest.mark.parametrize("what", ["similarity", "analysis"])
    def test_an_index_whose_fields_cannot_be_changed_asks_to_be_rebuilt(
        self, engine: ElasticsearchEngine, what: str
    ) -> None:
        now = next(one for one in definitions() if one.kind == names.EPISODIC)
        kind = f"old{uuid4().hex}"
        before = replace(now, kind=kind)
        if what == "similarity":
            turn = {"type": "text", "analyzer": INDEX_ANALYZER}
            before = replace(
                before, mapping={**now.mapping, "properties": {**now.mapping["properties"], "turn": turn}}
            )
        else:
            older = json.dumps([now.mapping, now.settings]).replace(INDEX_ANALYZER, "mneme_index")
            mapping, settings = json.loads(older)
            before = replace(before, mapping=mapping, settings=settings)
        try:
            engine.ensure([before])
            with pytest.raises(Rejected, match=f"{kind}: .* run rebuild_index"):
                engine.ensure([replace(now, kind=kind)])
            assert engine.begin_rebuild(replace(now, kind=kind))
            engine.swap(kind)
            engine.ensure([replace(now, kind=kind)])
        finally:
            for generation in (1, 2):
                Elasticsearch(elasticsearch_url()).indices.delete(
                    index=names.index_name(kind, generation), ignore_unavailable=True
                )

    def test_in_a_request_that_is_rejected_as_a_whole_the_one_at_fault_is_found(
        self, engine: ElasticsearchEngine, mine: Reach
    ) -> None:
        fine = [change(mine, f"badger {number}") for number in range(6)]
        wrong = replace(fine[3], version=-1)  # the engine refuses the whole request that holds such a version
        assert self.put(engine, *fine[:3], wrong, *fine[4:]) == [
            *[State.APPLIED] * 3, State.REJECTED, *[State.APPLIED] * 2
        ]  # fmt: skip

    def test_large_documents_are_sent_in_several_requests(
        self, engine: ElasticsearchEngine, mine: Reach, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writing, "REQUEST_MAX_BYTES", 600)
        documents = [change(mine, "badger " * 40, version=number + 1) for number in range(7)]
        assert self.put(engine, *documents) == [State.APPLIED] * 7
        assert self.put(engine, *documents) == [State.STALE] * 7

    def test_a_key_that_sees_more_than_its_reach_is_revoked_at_once(
        self, engine: ElasticsearchEngine, mine: Reach, theirs: Reach, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.put(engine, change(mine, "badger"), change(theirs, "badger"))
        wide = descriptors_of(mine, ["mneme-episodic-v1"])
        wide[ROLE]["indices"][0]["query"] = {"bool": {"filter": [{"term": {"kind": names.EPISODIC}}]}}
        monkeypatch.setattr(layouts, "descriptors_of", lambda *_: wide)
        for stored in (keys.stored_reach, lambda *_: mine):  # what is stored is looked at, then what is seen
            monkeypatch.setattr(keys, "stored_reach", stored)
            name = f"wide-{uuid4()}"
            with pytest.raises(Rejected):
                engine.grant(mine, name=name, expires_at=datetime.now(UTC) + timedelta(hours=1))
            (made,) = Elasticsearch(elasticsearch_url()).security.get_api_key(name=name)["api_keys"]
            assert made["invalidated"]

    @pytest.fixture
    def analysed(self) -> Iterator[Callable[[str, str], list[str]]]:
        """Return the terms that the engine makes of a text by an analyzer of today's settings."""
        client, index = Elasticsearch(elasticsearch_url()), f"analysis-{uuid4()}"
        client.indices.create(index=index, settings=analysis_settings())

        def run(analyzer: str, text: str) -> list[str]:
            return [
                item["token"] for item in client.indices.analyze(index=index, analyzer=analyzer, text=text)["tokens"]
            ]

        yield run
        client.indices.delete(index=index)

    def test_the_engine_analyses_text_as_we_do(self, analysed: Callable[[str, str], list[str]]) -> None:
        for text in CORPUS:
            assert analysed(INDEX_ANALYZER, text) == terms(text)
