"""What every engine must do with changes and their versions; written against the interface alone."""

from dataclasses import replace
from uuid import uuid4

from backends.search import names
from backends.search.base import Change, Reach, SearchEngine, State
from tests.backends.engine_case import EngineCase
from tests.backends.made import change


class WritingContract(EngineCase):
    """Versions, removals, and what a bad change may not harm."""

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
