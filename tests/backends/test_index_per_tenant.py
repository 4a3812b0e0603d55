"""The contract on an Elasticsearch with an index a kind and tenant; and what the engine does not give there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from elasticsearch import Elasticsearch

from backends.errors import Refused, Rejected
from backends.search import names
from backends.search.base import Query, SearchEngine
from backends.search.elasticsearch import keys
from backends.search.elasticsearch.engine import ElasticsearchEngine
from backends.search.elasticsearch.layouts import PerTenant
from backends.search.filters import Filter
from backends.search.reach import Reach
from memories.documents.registry import definitions
from tests.backends.asked_at_once import asked_at_once
from tests.backends.made import axis, change
from tests.backends.passages_contract import long
from tests.backends.search_contract import SearchContract
from tests.conftest import elasticsearch_url


@pytest.mark.engines
class TestIndexPerTenant(SearchContract):
    """ISOLATION=index. What follows about subjects and compartments is stated, not wished for."""

    @pytest.fixture
    def engine(self) -> ElasticsearchEngine:
        """Return the engine with its templates stored."""
        engine = ElasticsearchEngine(elasticsearch_url(), isolation="index")
        engine.ensure(definitions())
        return engine

    hides_fields = False

    def judged(self, engine: SearchEngine, mine: Reach, asked: Sequence[Filter]) -> list[set[UUID]]:
        """Ask the legs' own clause, under a key."""
        index = names.read_alias(names.tenant_part(names.EPISODIC, mine.tenant_id))
        client = Elasticsearch(elasticsearch_url()).options(api_key=self.grant(engine, mine).secret)
        return asked_at_once(client, index, mine, asked)

    def test_a_forged_reach_reaches_nothing(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        same_id = uuid4()
        self.put(engine, change(mine, "badger", object_id=same_id), change(theirs, "badger", object_id=same_id))
        with pytest.raises(Refused):
            self.find(engine, theirs, "badger", vector=axis(0), using=self.grant(engine, mine))
        assert len(self.find(engine, theirs, "badger")) == 1
        assert engine.count(mine) == engine.count(theirs) == 1

    def test_a_subject_reaches_its_own_and_the_shared(self, engine: SearchEngine, mine: Reach) -> None:
        """By the query alone: the engine lets a subject's key read the whole tenant's index."""
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        own, foreign, shared = change(one, "badger"), change(two, "badger"), change(mine, "badger")
        self.put(engine, own, foreign, shared)
        assert set(self.find(engine, one, "badger")) == {own.id, shared.id}
        assert len(self.find(engine, mine, "badger", using=self.grant(engine, one))) == 3
        assert engine.isolation_faults()

    def test_a_credential_is_the_wall_before_passages(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        """Between tenants alone, as for everything here."""
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        own, others = long(one, "badger", axis(2)), long(two, "badger", axis(2))
        self.put(engine, own, others, long(theirs, "badger", axis(2)))
        key = self.grant(engine, one)
        assert set(self.find(engine, mine, "nowhere", vector=axis(2), using=key)) == {own.id, others.id}
        assert set(self.find(engine, one, "nowhere", vector=axis(2), using=key)) == {own.id}

    def test_a_compartment_is_seen_by_those_who_hold_it(self, engine: SearchEngine, mine: Reach) -> None:
        """By the query alone."""
        doctor = replace(mine, compartments=("doctor",))
        secret, plain = change(doctor, "badger"), change(mine, "badger")
        self.put(engine, secret, plain)
        assert set(self.find(engine, mine, "badger")) == {plain.id}
        assert set(self.find(engine, doctor, "badger")) == {secret.id, plain.id}

    def test_with_the_query_wall_off_a_credential_shows_its_own_alone(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        """Its own tenant, that is: with the query wall off the record's alone is left between users."""
        ada, doctor = replace(mine, subject_id=uuid4()), replace(mine, compartments=("doctor",))
        documents = [change(reach, "badger", embedding=axis(0)) for reach in (mine, ada, doctor)]
        self.put(engine, *documents, change(theirs, "badger", embedding=axis(0)))
        key = self.grant(engine, ada)
        for vector in (axis(0), None):
            found = self.find(engine, doctor, "badger", vector=vector, using=key)
            assert set(found) == {document.id for document in documents}
            with pytest.raises(Refused):
                self.find(engine, theirs, "badger", vector=vector, using=key)

    def test_a_hidden_window_finds_nothing_by_what_it_alone_says(self, engine: SearchEngine, mine: Reach) -> None:
        """By the query alone: field-level security is of the same licence."""
        document = change(mine, "badger", window="badger weasel")
        self.put(engine, document)
        hiding = replace(mine, hidden_fields=("window",))
        assert self.find(engine, hiding, "weasel", using=self.grant(engine, hiding)) == {}
        assert set(self.find(engine, hiding, "badger", using=self.grant(engine, hiding))) == {document.id}

    def test_a_forged_subject_or_compartment_reaches_nothing_in_any_leg(
        self, engine: SearchEngine, mine: Reach
    ) -> None:
        """No engine's wall stands here: the site's own reach is what narrows, and it is in every leg."""
        one, doctor = replace(mine, subject_id=uuid4()), replace(mine, compartments=("doctor",))
        self.put(engine, *[change(reach, "badger", embedding=axis(0)) for reach in (one, doctor)])
        stranger = replace(mine, subject_id=uuid4())
        assert self.find(engine, stranger, "badger", vector=axis(0)) == {}
        statistics = engine.search(
            Query(reach=stranger, text="badger", vector=None), using=self.grant(engine, stranger)
        ).statistics
        assert statistics is not None
        assert (statistics.documents, dict(statistics.frequencies)) == (0, {"badger": (0, 0)})

    def test_nobody_elses_writes_change_a_score(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        self.put(engine, change(mine, "badger in the garden"), change(mine, "an otter"))
        before = self.find(engine, mine, "badger", vector=axis(0))
        self.put(engine, *[change(theirs, "badger " * 5, embedding=axis(0)) for _ in range(200)])
        assert self.find(engine, mine, "badger", vector=axis(0)) == before

    def test_the_stored_role_has_the_tenants_indexes_and_no_other(
        self, engine: ElasticsearchEngine, mine: Reach, theirs: Reach, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.put(engine, change(mine, "badger"), change(theirs, "badger"))
        real = PerTenant.rights

        def wider(layout: PerTenant, client: Elasticsearch, reach: Reach) -> object:
            rights = dict(real(layout, client, reach))
            foreign = names.read_alias(names.tenant_part(names.EPISODIC, theirs.tenant_id))
            (role,) = rights["role_descriptors"].values()
            role["indices"][0]["names"].append(foreign)
            return rights

        monkeypatch.setattr(PerTenant, "rights", wider)
        for stored in (keys.stored_reach, lambda *_: mine):  # what is stored is looked at, then what is seen
            monkeypatch.setattr(keys, "stored_reach", stored)
            name = f"wide-{uuid4()}"
            with pytest.raises(Rejected):
                engine.grant(mine, name=name, expires_at=datetime.now(UTC) + timedelta(hours=1))
            (made,) = Elasticsearch(elasticsearch_url()).security.get_api_key(name=name)["api_keys"]
            assert made["invalidated"]

    def test_a_tenant_that_is_forgotten_leaves_no_index(
        self, engine: ElasticsearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        self.put(engine, change(mine, "badger"), change(theirs, "badger"))
        engine.purge(mine.tenant_id)
        engine.purge(mine.tenant_id)
        assert not list(Elasticsearch(elasticsearch_url()).indices.get(index=f"*{mine.tenant_id.hex}*"))
        assert engine.count(theirs) == 1

    @pytest.fixture(autouse=True)
    def leave_nothing(self, engine: ElasticsearchEngine, mine: Reach, theirs: Reach) -> Iterator[None]:
        """Remove the indexes of the test's tenants, or the node would run out of shards."""
        yield
        for reach in (mine, theirs):
            engine.purge(reach.tenant_id)
