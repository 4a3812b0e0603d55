"""What every engine makes of passages: a long document is found by the best of its parts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from backends.search.base import Candidate, SearchEngine, Where
from backends.search.changes import Change, State
from backends.search.facets import filterable
from backends.search.filters import AnyOf, Field
from backends.search.names import PASSAGES, VECTOR
from backends.search.reach import Reach
from tests.backends.engine_case import EngineCase
from tests.backends.made import MORNING, axis, change, made_up

NEAR = 0.02
"""Elasticsearch keeps whole vectors in eight bits."""


def long(reach: Reach, turn: str, *vectors: Sequence[float], **fields: Any) -> Change:
    """Return a document with passages."""
    fields[PASSAGES] = [{VECTOR: list(vector)} for vector in vectors]
    return change(reach, turn, **fields)


class PassagesContract(EngineCase):
    """Found by a passage, filtered as a whole, gone with its document, and nobody else's."""

    def test_a_long_document_is_found_by_its_tail(self, engine: SearchEngine, mine: Reach) -> None:
        told = long(mine, "badger", axis(1), axis(2), axis(3), embedding=axis(1))
        near = [change(mine, "otter", embedding=made_up(number)) for number in range(30)]
        assert set(self.put(engine, told, *near)) == {State.APPLIED}
        found = self.find(engine, mine, "nowhere", vector=axis(3), candidates=3)
        assert found[told.id].dense == pytest.approx(1, abs=NEAR)
        assert len(found) == 3
        assert max(found.values(), key=lambda one: one.dense or 0).id == told.id

    def test_the_better_of_the_whole_and_its_passages_counts(self, engine: SearchEngine, mine: Reach) -> None:
        told = long(mine, "badger", axis(2), axis(3), embedding=axis(1))
        self.put(engine, told)
        for number, cosine in ((1, 1.0), (2, 1.0), (3, 1.0), (4, 0.0)):
            for text in ("badger", "nowhere"):
                found = self.find(engine, mine, text, vector=axis(number))
                assert found[told.id].dense == pytest.approx(cosine, abs=NEAR), (number, text)
        assert self.find(engine, mine, "badger")[told.id].dense is None

    def test_passages_alone_will_do(self, engine: SearchEngine, mine: Reach) -> None:
        bare = long(mine, "badger", axis(2))
        self.put(engine, bare)
        assert self.find(engine, mine, "nowhere", vector=axis(2))[bare.id].dense == pytest.approx(1, abs=NEAR)

    def test_what_words_found_has_the_number_of_its_best_passage(self, engine: SearchEngine, mine: Reach) -> None:
        told = long(mine, "badger", axis(2), [0.6 if n == 5 else 0.8 if n == 6 else 0.0 for n in range(384)])
        crowd = [long(mine, "otter", axis(5), embedding=axis(9)) for _ in range(6)]
        also = long(mine, "heron", axis(7), axis(5), embedding=axis(8))
        self.put(engine, told, also, *crowd)
        found = self.find(engine, mine, "badger", vector=axis(5), candidates=2, also=(also.id,))
        assert found[told.id].dense == pytest.approx(0.6, abs=NEAR)
        assert found[told.id].lexical > 0
        assert found[also.id].dense == pytest.approx(1, abs=NEAR)

    def test_each_document_counts_once(self, engine: SearchEngine, mine: Reach) -> None:
        many = long(mine, "badger", *[axis(1)] * 30)
        others = [long(mine, "otter", made_up(number), axis(number)) for number in range(2, 8)]
        self.put(engine, many, *others)
        found = self.find(engine, mine, "nowhere", vector=axis(1), candidates=4)
        assert many.id in found
        assert len(found) == 4
        assert engine.count(mine) == 7
        assert set(engine.versions(mine.tenant_id, "episodic", [many.id])) == {many.id}
        assert len(list(engine.scan(mine.tenant_id, "episodic"))) == 7

    def test_a_new_version_drops_the_old_passages(self, engine: SearchEngine, mine: Reach) -> None:
        told = long(mine, "badger", axis(2), axis(3), embedding=axis(1))
        self.put(engine, told)
        self.put(engine, replace(long(mine, "badger", axis(4), embedding=axis(1)), id=told.id, version=2))
        assert self._cosine(self.find(engine, mine, "badger", vector=axis(3)), told.id) == pytest.approx(0, abs=NEAR)
        assert self._cosine(self.find(engine, mine, "badger", vector=axis(4)), told.id) == pytest.approx(1, abs=NEAR)
        assert self.put(engine, replace(told, version=1)) == [State.STALE]
        self.put(engine, change(mine, "badger", embedding=axis(1), object_id=told.id, version=3))
        assert self._cosine(self.find(engine, mine, "badger", vector=axis(4)), told.id) == pytest.approx(0, abs=NEAR)

    def test_a_removed_document_takes_its_passages_along(self, engine: SearchEngine, mine: Reach) -> None:
        told = long(mine, "badger", axis(2), embedding=axis(1))
        self.put(engine, told)
        self.put(engine, replace(told, version=2, body=None))
        assert self.find(engine, mine, "badger", vector=axis(2)) == {}
        assert engine.count(mine) == 0

    def test_a_purge_leaves_no_passage(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        told, foreign = long(mine, "badger", axis(2)), long(theirs, "badger", axis(2))
        self.put(engine, told, foreign)
        engine.purge(mine.tenant_id)
        assert engine.count_of_tenant(mine.tenant_id) == 0
        assert set(self.find(engine, theirs, "nowhere", vector=axis(2))) == {foreign.id}

    def test_foreign_passages_never_come(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        doctor = replace(mine, compartments=("doctor",))
        documents = {reach: long(reach, "badger", axis(2), axis(3)) for reach in (one, two, doctor, theirs)}
        self.put(engine, *documents.values())
        for reach, document in documents.items():
            own = {document.id} | ({documents[one].id, documents[two].id} if reach is doctor else set())
            assert set(self.find(engine, reach, "nowhere", vector=axis(2), candidates=9)) == own

    def test_a_credential_is_the_wall_before_passages(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        own, others = long(one, "badger", axis(2)), long(two, "badger", axis(2))
        self.put(engine, own, others, long(theirs, "badger", axis(2)))
        wider = self.find(engine, mine, "nowhere", vector=axis(2), using=self.grant(engine, one))
        assert set(wider) == {own.id}

    def test_restrictions_hold_for_passages(self, engine: SearchEngine, mine: Reach) -> None:
        agent = filterable({"memory_type": "episodic", "agent_id": "a"})
        kept = long(mine, "badger", axis(2), **agent)
        other = long(mine, "badger", axis(2), **filterable({"memory_type": "episodic", "agent_id": "b"}))
        closed = long(mine, "badger", axis(2), closed_at=MORNING.isoformat(), **agent)
        later = long(mine, "badger", axis(2), **{**agent, "valid_from": (MORNING + timedelta(days=9)).isoformat()})
        self.put(engine, kept, other, closed, later)
        by_agent = AnyOf(field=Field(name="agent_id"), values=("a",))
        where = Where(filters=by_agent, valid_at=MORNING)
        assert set(self.find(engine, mine, "nowhere", vector=axis(2), where=where)) == {kept.id}
        assert set(self.find(engine, mine, "nowhere", vector=axis(2), without=(kept.id, later.id))) == {other.id}

    def test_what_has_no_passages_keeps_its_numbers(self, engine: SearchEngine, mine: Reach) -> None:
        short = [change(mine, f"otter {number}", embedding=made_up(number)) for number in range(12)]
        self.put(engine, *short)
        before = self.find(engine, mine, "otter", vector=made_up(3))
        told = long(mine, "badger", made_up(50), made_up(51), embedding=made_up(52))
        self.put(engine, told)
        after = self.find(engine, mine, "otter", vector=made_up(3))
        kept = {one: found.dense for one, found in after.items() if one != told.id}
        assert kept == pytest.approx({one: found.dense for one, found in before.items()}, abs=1e-6)  # merged segments

    def _cosine(self, found: dict[UUID, Candidate], object_id: UUID) -> float | None:
        return found[object_id].dense
