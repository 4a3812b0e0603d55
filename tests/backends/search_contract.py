"""What every search engine must do, inherited by each engine's test; written against the interface alone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from backends.errors import Refused, Rejected
from backends.search import names
from backends.search.base import Candidate, Change, Credential, Query, Reach, SearchEngine, State, Where
from tests.backends.made import MORNING, axis, change


class SearchContract:
    """The contract. A subclass gives the fixture `engine`, whose indexes or tables are there."""

    @pytest.fixture
    def mine(self) -> Reach:
        """Return a tenant of its own for the test."""
        return Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))

    @pytest.fixture
    def theirs(self) -> Reach:
        """Return another tenant."""
        return Reach(tenant_id=uuid4(), subject_id=None, kinds=(names.EPISODIC,))

    def grant(self, engine: SearchEngine, reach: Reach) -> Credential:
        """Return a fresh credential."""
        return engine.grant(reach, name="contract", expires_at=datetime.now(UTC) + timedelta(hours=1))

    def put(self, engine: SearchEngine, *changes: Change) -> list[State]:
        """Apply and make visible."""
        outcomes = engine.apply(changes)
        engine.refresh()
        return [outcome.state for outcome in outcomes]

    def find(
        self,
        engine: SearchEngine,
        reach: Reach,
        text: str,
        *,
        using: Credential | None = None,
        vector: Sequence[float] | None = None,
        **options: Any,
    ) -> dict[UUID, Candidate]:
        """Search and return the candidates by id."""
        query = Query(reach=reach, text=text, vector=vector, **options)
        answer = engine.search(query, using=using or self.grant(engine, reach))
        return {candidate.id: candidate for candidate in answer.candidates}

    def test_a_document_is_found_by_its_words(self, engine: SearchEngine, mine: Reach) -> None:
        otter, heron = change(mine, "the otters are swimming"), change(mine, "the heron sleeps")
        assert self.put(engine, otter, heron) == [State.APPLIED, State.APPLIED]
        found = self.find(engine, mine, "swimming otter")
        assert set(found) == {otter.id}
        assert found[otter.id].lexical > 0
        assert found[otter.id].dense is None

    def test_chinese_is_found_by_its_pairs(self, engine: SearchEngine, mine: Reach) -> None:
        green, parcel = change(mine, "我最喜欢的颜色是绿色"), change(mine, "快递用顺丰寄到杭州")
        self.put(engine, green, parcel)
        assert set(self.find(engine, mine, "绿色")) == {green.id}
        assert set(self.find(engine, mine, "顺丰到了吗")) == {parcel.id}

    def test_a_rare_literal_comes_first(self, engine: SearchEngine, mine: Reach) -> None:
        noise = [change(mine, f"the hub showed E-{number} again") for number in range(4000, 4030)]
        self.put(engine, *noise)
        found = self.find(engine, mine, "what is E-4012?")
        assert max(found.values(), key=lambda candidate: candidate.lexical).id == noise[12].id

    def test_a_document_with_a_rare_term_joins_the_pool_and_says_so(self, engine: SearchEngine, mine: Reach) -> None:
        long = change(mine, "wombat " + "about tea and more tea " * 60)
        self.put(engine, long, *[change(mine, "tea for you") for _ in range(8)])
        found = self.find(engine, mine, "tea wombat", candidates=2)
        assert found[long.id].rare == 1
        assert found[long.id].lexical > 0
        assert {candidate.rare for candidate in found.values() if candidate.id != long.id} == {0}

    def test_a_question_of_question_words_only_still_matches(self, engine: SearchEngine, mine: Reach) -> None:
        who = change(mine, "guess who")
        self.put(engine, who)
        assert set(self.find(engine, mine, "who?")) == {who.id}

    def test_the_window_counts_twice(self, engine: SearchEngine, mine: Reach) -> None:
        inside = change(mine, "badger", window="one two three")
        around = change(mine, "one two three", window="badger")
        self.put(engine, inside, around)
        found = self.find(engine, mine, "badger")
        assert found[around.id].lexical > found[inside.id].lexical
        even = self.find(engine, mine, "badger", window_weight=0.001)
        assert even[inside.id].lexical > even[around.id].lexical

    def test_both_legs_numbers_are_filled_in(self, engine: SearchEngine, mine: Reach) -> None:
        words = change(mine, "a badger in the garden", embedding=axis(0))
        near = change(mine, "nothing alike", embedding=axis(1))
        self.put(engine, words, near)
        found = self.find(engine, mine, "badger", vector=axis(1), candidates=1)
        assert set(found) == {words.id, near.id}
        assert found[near.id].lexical == 0
        assert found[near.id].dense == pytest.approx(1, abs=0.02)
        assert found[words.id].lexical > 0
        assert found[words.id].dense == pytest.approx(0, abs=0.02)

    def test_each_leg_is_cut_at_the_candidates_asked_for(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, *[change(mine, "badger " * (1 + number), embedding=axis(number)) for number in range(9)])
        assert len(self.find(engine, mine, "badger", candidates=4)) == 4
        assert len(self.find(engine, mine, "nowhere", vector=axis(3), candidates=4)) == 4

    def test_the_participants_bonus_picks_but_does_not_show(self, engine: SearchEngine, mine: Reach) -> None:
        mei = change(mine, "badger and a long tail of other words in this line", author="Mei")
        tom = change(mine, "badger badger", author="Tom")
        self.put(engine, mei, tom)
        assert set(self.find(engine, mine, "badger", candidates=1)) == {tom.id}
        picked = self.find(engine, mine, "badger", candidates=1, author="Mei", own_bonus=5.0)
        plain = self.find(engine, mine, "badger")
        assert set(picked) == {mei.id}
        assert picked[mei.id].lexical == pytest.approx(plain[mei.id].lexical, abs=1e-4)
        assert self.find(engine, mine, "nowhere", author="Mei") == {}

    def test_restrictions_hold_in_both_legs(self, engine: SearchEngine, mine: Reach) -> None:
        session, later = uuid4(), MORNING + timedelta(days=9)
        kept = change(mine, "badger", session_id=str(session), agent_id="a", embedding=axis(0))
        other = change(mine, "badger", session_id=str(uuid4()), agent_id="b", embedding=axis(0),
                       valid_from=later.isoformat(), valid_to=(later + timedelta(days=1)).isoformat())  # fmt: skip
        self.put(engine, kept, other)
        for where in (
            Where(session_ids=(session,)), Where(agent_id="a"), Where(valid_at=MORNING), Where(session_ids=(session,),
            agent_id="a", valid_at=later),
        ):  # fmt: skip
            assert set(self.find(engine, mine, "badger", vector=axis(0), where=where)) == {kept.id}, where
        assert self.find(engine, mine, "badger", vector=axis(0), where=Where(session_ids=())) == {}
        ended = Where(valid_at=later + timedelta(days=1))
        assert set(self.find(engine, mine, "badger", vector=axis(0), where=ended)) == {kept.id}
        assert len(self.find(engine, mine, "badger", vector=axis(0), where=Where(valid_at=later))) == 2

    def test_statistics_count_the_reach(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        self.put(
            engine, change(mine, "badger", window="otter"), change(mine, "badger otter"), change(theirs, "badger")
        )
        query = Query(reach=mine, text="where is the badger", vector=None, statistics=True)
        statistics = engine.search(query, using=self.grant(engine, mine)).statistics
        assert statistics is not None
        assert statistics.documents == 2
        assert statistics.frequencies == {"badger": (2, 1)}

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

    def test_a_forged_reach_reaches_nothing(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        same_id = uuid4()
        self.put(
            engine,
            change(mine, "badger mine", object_id=same_id, embedding=axis(0)),
            change(theirs, "badger theirs", object_id=same_id, embedding=axis(0)),
        )
        assert self.find(engine, theirs, "badger", vector=axis(0), using=self.grant(engine, mine)) == {}
        assert len(self.find(engine, theirs, "badger", vector=axis(0))) == 1
        assert engine.count(mine) == engine.count(theirs) == 1

    def test_a_subject_reaches_its_own_and_the_shared(self, engine: SearchEngine, mine: Reach) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        own, foreign, shared = change(one, "badger"), change(two, "badger"), change(mine, "badger")
        self.put(engine, own, foreign, shared)
        assert set(self.find(engine, one, "badger")) == {own.id, shared.id}
        key = self.grant(engine, one)
        assert set(self.find(engine, two, "badger", using=key)) == {shared.id}
        assert set(self.find(engine, mine, "badger", using=key)) == {own.id, shared.id}
        assert len(self.find(engine, mine, "badger")) == 3

    def test_a_compartment_is_seen_by_those_who_hold_it(self, engine: SearchEngine, mine: Reach) -> None:
        doctor = replace(mine, compartments=("doctor",))
        secret, plain = change(doctor, "badger"), change(mine, "badger")
        self.put(engine, secret, plain)
        assert set(self.find(engine, mine, "badger")) == {plain.id}
        assert set(self.find(engine, doctor, "badger")) == {secret.id, plain.id}
        assert set(self.find(engine, doctor, "badger", using=self.grant(engine, mine))) == {plain.id}

    def test_what_was_granted_is_what_is_held(self, engine: SearchEngine, mine: Reach) -> None:
        for reach in (mine, replace(mine, subject_id=uuid4(), compartments=("doctor", "family"))):
            assert engine.reach_of(self.grant(engine, reach).id) == reach

    def test_revoking_right_after_minting_revokes(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        for _ in range(3):
            key = self.grant(engine, mine)
            engine.revoke([key.id])
            assert engine.reach_of(key.id) is None
            with pytest.raises(Refused):
                self.find(engine, mine, "badger", using=key)
        engine.revoke([key.id])

    def test_an_unknown_or_expired_credential_is_refused(self, engine: SearchEngine, mine: Reach) -> None:
        key = self.grant(engine, mine)
        for wrong in (replace(key, secret="bm9ib2R5Om5vYm9keQ=="), replace(key, secret="nobody")):
            with pytest.raises(Refused):
                self.find(engine, mine, "badger", using=wrong)
        with pytest.raises((Refused, Rejected)):
            past = engine.grant(mine, name="past", expires_at=datetime.now(UTC) - timedelta(seconds=1))
            self.find(engine, mine, "badger", using=past)

    def test_a_reach_without_a_kind_cannot_be_written(self, mine: Reach) -> None:
        with pytest.raises(ValueError, match="kinds"):
            replace(mine, kinds=())
