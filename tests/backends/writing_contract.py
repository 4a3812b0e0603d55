"""What every engine must do with changes and their versions; written against the interface alone."""

from dataclasses import replace
from uuid import uuid4

import pytest

from backends.search import names
from backends.search.base import SearchEngine
from backends.search.changes import Change, State
from backends.search.digests import digests
from backends.search.reach import Reach
from tests.backends.engine_case import EngineCase
from tests.backends.made import change


class WritingContract(EngineCase):
    """Versions, removals, and what a bad change may not harm."""

    @pytest.fixture
    def pages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Make every scan's pages of ten."""
        monkeypatch.setattr("backends.search.postgres.engine.SCAN_PAGE", 10)
        monkeypatch.setattr("backends.search.elasticsearch.scanning.PAGE", 10)

    def test_a_version_at_or_below_the_engines_own_changes_nothing(self, engine: SearchEngine, mine: Reach) -> None:
        first = change(mine, "badger", version=5)
        assert self.put(engine, first) == [State.APPLIED]
        for version in (4, 5):
            assert self.put(engine, change(mine, "otter", version=version, object_id=first.id)) == [State.STALE]
        assert set(self.find(engine, mine, "badger")) == {first.id}
        assert engine.versions(mine.tenant_id, names.EPISODIC, [first.id, uuid4()]) == {first.id: 5}
        assert self.put(engine, change(mine, "otter", version=6, object_id=first.id)) == [State.APPLIED]
        assert self.find(engine, mine, "badger") == {}

    def test_an_index_replayed_after_its_delete_does_not_come_back(self, engine: SearchEngine, mine: Reach) -> None:
        first = change(mine, "badger", version=5)
        self.put(engine, first)
        assert self.put(engine, replace(first, version=7, body=None)) == [State.APPLIED]
        assert self.put(engine, replace(first, version=6)) == [State.STALE]
        assert self.find(engine, mine, "badger") == {}
        assert engine.count(mine) == 0
        assert engine.versions(mine.tenant_id, names.EPISODIC, [first.id]) == {}

    def test_removing_what_was_never_there_is_done(self, engine: SearchEngine, mine: Reach) -> None:
        missing = Change(tenant_id=mine.tenant_id, kind=names.EPISODIC, id=uuid4(), version=3, body=None)
        assert self.put(engine, missing) == [State.APPLIED]
        assert engine.apply([]) == []

    def test_of_two_changes_in_a_batch_the_newer_stays(self, engine: SearchEngine, mine: Reach) -> None:
        first = change(mine, "badger", version=1)
        newer, older = (change(mine, text, version=n, object_id=first.id) for text, n in (("otter", 3), ("heron", 2)))
        assert self.put(engine, first, newer, older)[1:] == [State.APPLIED, State.STALE]
        assert set(self.find(engine, mine, "otter")) == {first.id}
        assert self.find(engine, mine, "badger heron") == {}

    def test_a_change_the_engine_cannot_store_harms_no_other(self, engine: SearchEngine, mine: Reach) -> None:
        wrong = change(mine, "badger", valid_from="never")
        before, after = change(mine, "badger one"), change(mine, "badger two")
        outcomes = engine.apply([before, wrong, after])
        engine.refresh()
        assert [outcome.state for outcome in outcomes] == [State.APPLIED, State.REJECTED, State.APPLIED]
        assert outcomes[1].reason
        assert "never" not in outcomes[1].reason
        assert set(self.find(engine, mine, "badger")) == {before.id, after.id}
        assert engine.versions(mine.tenant_id, names.EPISODIC, [wrong.id]) == {}

    def test_a_document_that_cannot_even_be_sent_harms_no_other(self, engine: SearchEngine, mine: Reach) -> None:
        wrong = change(mine, "badger", valid_from=object())
        before, after = change(mine, "badger one"), change(mine, "badger two")
        assert self.put(engine, before, wrong, after) == [State.APPLIED, State.REJECTED, State.APPLIED]
        assert set(self.find(engine, mine, "badger")) == {before.id, after.id}

    def test_a_document_that_changes_hands_leaves_its_old_place(self, engine: SearchEngine, mine: Reach) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        first = change(one, "badger", version=1)
        self.put(engine, first)
        self.put(engine, change(two, "badger", version=2, object_id=first.id))
        assert self.find(engine, one, "badger") == {}
        assert set(self.find(engine, two, "badger")) == {first.id}
        assert (engine.count(one), engine.count(two)) == (0, 1)

    def test_a_removed_document_can_be_written_again_at_a_later_version(
        self, engine: SearchEngine, mine: Reach
    ) -> None:
        first = change(mine, "badger", version=1)
        self.put(engine, first)
        self.put(engine, replace(first, version=2, body=None))
        assert self.put(engine, change(mine, "otter", version=3, object_id=first.id)) == [State.APPLIED]
        assert set(self.find(engine, mine, "otter")) == {first.id}
        assert engine.versions(mine.tenant_id, names.EPISODIC, [first.id]) == {first.id: 3}

    def test_what_is_held_is_scanned_with_its_versions(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        documents = [change(mine, "badger", version=number) for number in range(1, 6)]
        self.put(engine, *documents, change(theirs, "badger", version=40))
        self.put(engine, replace(documents[0], version=30, body=None))
        held = {document.id: document.version for document in documents[1:]}
        assert dict(engine.scan(mine.tenant_id, names.EPISODIC)) == held
        assert dict(engine.scan(mine.tenant_id, names.SEMANTIC)) == {}
        assert {mine.tenant_id, theirs.tenant_id} <= engine.tenants(names.EPISODIC)
        assert mine.tenant_id not in engine.tenants(names.SEMANTIC)
        assert engine.highest_version() >= 40
        same = digests(reversed(list(held.items())))
        assert digests(engine.scan(mine.tenant_id, names.EPISODIC)) == same
        self.put(engine, replace(documents[1], version=6))
        assert digests(engine.scan(mine.tenant_id, names.EPISODIC)) != same

    def test_a_scan_of_several_pages_leaves_nothing_out(self, engine: SearchEngine, mine: Reach, pages: None) -> None:
        documents = [change(mine, "badger", version=number) for number in range(1, 26)]
        self.put(engine, *documents)
        found = list(engine.scan(mine.tenant_id, names.EPISODIC))
        assert len(found) == 25
        assert dict(found) == {document.id: document.version for document in documents}
