"""What no credential of any engine may reach; written against the interface alone."""

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from backends.errors import Refused, Rejected
from backends.search import names
from backends.search.base import Query, SearchEngine, Where
from backends.search.reach import Reach
from tests.backends.engine_case import EngineCase
from tests.backends.made import axis, change


class IsolationContract(EngineCase):
    """Tenants, subjects and compartments apart; credentials that end when they should."""

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

    def test_with_the_query_wall_off_a_credential_shows_its_own_alone(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        """Tenants, subjects and compartments at once: each credential is asked for everything, in every leg."""
        doctor, family = replace(mine, compartments=("doctor",)), replace(mine, compartments=("family",))
        ada, bob = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        written = {
            "open": mine,
            "doctor": doctor,
            "family": family,
            "both": replace(mine, compartments=("doctor", "family")),
            "ada": ada,
            "ada's doctor": replace(ada, compartments=("doctor",)),
            "bob's doctor": replace(bob, compartments=("doctor",)),
            "theirs": theirs,
            "their doctor": replace(theirs, compartments=("doctor",)),
        }
        changes = {name: change(reach, "badger", embedding=axis(0)) for name, reach in written.items()}
        self.put(engine, *changes.values())
        seen = {
            mine: {"open", "ada"},
            doctor: {"open", "doctor", "both", "ada", "ada's doctor", "bob's doctor"},
            family: {"open", "family", "both", "ada"},
            ada: {"open", "ada"},
            replace(ada, compartments=("doctor",)): {"open", "doctor", "both", "ada", "ada's doctor"},
            theirs: {"theirs"},
        }
        everything = ("doctor", "family")
        for held, names_seen in seen.items():
            key = self.grant(engine, held)
            found: set[UUID] = set()
            for asked in (mine, theirs, ada, bob):
                widest = replace(asked, compartments=everything)
                for vector in (axis(0), None):
                    found |= self.find(engine, widest, "badger", vector=vector, using=key).keys()
            assert found == {changes[name].id for name in names_seen}, held

    def test_a_hidden_window_finds_nothing_by_what_it_alone_says(self, engine: SearchEngine, mine: Reach) -> None:
        document = change(mine, "badger", window="badger weasel", embedding=axis(0))
        self.put(engine, document)
        hiding = replace(mine, hidden_fields=("window",))
        key = self.grant(engine, hiding)
        for asked in (mine, hiding):  # with the query wall off, and with it
            for text, found in (("weasel", set()), ("badger", {document.id})):
                assert self.find(engine, asked, text, using=key).keys() == found, text
                assert self.find(engine, asked, text, vector=axis(0), using=key).keys() == {document.id}
            counted = engine.search(Query(reach=asked, text="weasel", vector=None), using=key).statistics
            assert dict(counted.frequencies) == {"weasel": (0, 0)}
        assert self.find(engine, mine, "weasel").keys() == {document.id}

    def test_nothing_that_a_search_stands_on_can_be_hidden(self, mine: Reach) -> None:
        for field in ("embedding", "tenant_id", "turn", "kind"):
            with pytest.raises(ValueError, match="hidden_fields"):
                replace(mine, hidden_fields=(field,))

    def test_what_was_granted_is_what_is_held(self, engine: SearchEngine, mine: Reach) -> None:
        family = replace(mine, subject_id=uuid4(), compartments=("doctor", "family"))
        for reach in (mine, family, replace(family, hidden_fields=("window",))):
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

    def test_a_credential_that_has_ended_is_refused(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        key = engine.grant(mine, name="short", expires_at=datetime.now(UTC) + timedelta(seconds=3))
        assert self.find(engine, mine, "badger", using=key)
        time.sleep(3.2)
        with pytest.raises(Refused):
            self.find(engine, mine, "badger", using=key)
        assert engine.reach_of(key.id) is None

    def test_a_credential_that_the_engine_never_saw_is_as_good_as_revoked(self, engine: SearchEngine) -> None:
        for unknown in (str(uuid4()), "nothing-of-ours"):
            assert engine.reach_of(unknown) is None
            engine.revoke([unknown])
        engine.revoke([])

    def test_revoking_one_credential_leaves_the_others(self, engine: SearchEngine, mine: Reach) -> None:
        self.put(engine, change(mine, "badger"))
        gone, kept = self.grant(engine, mine), self.grant(engine, mine)
        engine.revoke([gone.id])
        assert self.find(engine, mine, "badger", using=kept)
        assert engine.reach_of(kept.id) == mine

    def test_a_forged_subject_or_compartment_reaches_nothing_in_any_leg(
        self, engine: SearchEngine, mine: Reach
    ) -> None:
        one, doctor = replace(mine, subject_id=uuid4()), replace(mine, compartments=("doctor",))
        documents = [change(reach, "badger", embedding=axis(0)) for reach in (one, doctor)]
        self.put(engine, *documents)
        stranger = self.grant(engine, replace(mine, subject_id=uuid4()))
        for forged in (one, doctor, replace(one, compartments=("doctor",)), mine):
            assert self.find(engine, forged, "badger", vector=axis(0), using=stranger) == {}
            query = Query(reach=forged, text="badger", vector=None)
            statistics = engine.search(query, using=stranger).statistics
            assert statistics is not None
            assert (statistics.documents, dict(statistics.frequencies)) == (0, {"badger": (0, 0)})

    def test_a_wide_credential_is_narrowed_by_the_query(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        one, two = replace(mine, subject_id=uuid4()), replace(mine, subject_id=uuid4())
        doctor = replace(mine, compartments=("doctor",))
        documents = [change(reach, "badger", embedding=axis(0)) for reach in (one, two, doctor, theirs)]
        self.put(engine, *documents)
        wide = self.grant(engine, doctor)
        for reach, expected in ((one, documents[:1]), (two, documents[1:2]), (mine, documents[:2])):
            for vector in (axis(0), None):
                found = self.find(engine, reach, "badger", vector=vector, using=wide)
                assert set(found) == {document.id for document in expected}
            query = Query(reach=reach, text="badger", vector=None)
            statistics = engine.search(query, using=wide).statistics
            assert statistics is not None
            assert statistics.documents == len(expected)

    def test_own_documents_alone_can_be_asked_for(self, engine: SearchEngine, mine: Reach) -> None:
        one = replace(mine, subject_id=uuid4())
        own, shared = change(one, "badger", embedding=axis(0)), change(mine, "badger", embedding=axis(0))
        self.put(engine, own, shared)
        using = self.grant(engine, one)
        for vector in (None, axis(0)):
            found = self.find(engine, one, "badger", using=using, vector=vector, where=Where(own_only=True))
            assert set(found) == {own.id}

    def test_the_engine_lists_what_it_granted_as_it_may_read(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        ends_at, began_at = datetime.now(UTC) + timedelta(hours=1), datetime.now(UTC) - timedelta(minutes=1)
        reaches = [
            mine, theirs, replace(mine, subject_id=uuid4(), compartments=("doctor", "family"), kinds=names.KINDS)
        ]  # fmt: skip
        granted = {
            engine.grant(reach, name=f"{names.CREDENTIAL_PREFIX}{uuid4()}:{uuid4()}", expires_at=ends_at).id: reach
            for reach in reaches
        }
        held = {one.id: one for one in engine.credentials() if one.id in granted}
        assert {key: one.reach for key, one in held.items()} == granted
        for one in held.values():
            assert began_at < one.created_at < datetime.now(UTC) + timedelta(minutes=1)
            assert one.expires_at is not None
            assert abs(one.expires_at - ends_at) < timedelta(minutes=1)
        gone, *left = granted
        engine.revoke([gone])
        assert {one.id for one in engine.credentials() if one.id in granted} == set(left)
        engine.revoke(left)

    def test_a_purged_tenant_is_gone_and_the_other_is_whole(
        self, engine: SearchEngine, mine: Reach, theirs: Reach
    ) -> None:
        one = replace(mine, subject_id=uuid4(), compartments=("doctor",))
        same_id = uuid4()
        kept = change(theirs, "badger", object_id=same_id)
        removed = change(mine, "badger gone")
        self.put(engine, change(mine, "badger", object_id=same_id), change(one, "badger"), kept, removed)
        self.put(engine, replace(removed, version=removed.version + 1, body=None))
        assert (engine.count_of_tenant(mine.tenant_id), engine.count_of_tenant(theirs.tenant_id)) == (2, 1)
        engine.purge(mine.tenant_id)
        engine.purge(mine.tenant_id)
        assert (engine.count_of_tenant(mine.tenant_id), engine.count_of_tenant(theirs.tenant_id)) == (0, 1)
        assert self.find(engine, mine, "badger") == {}
        assert set(self.find(engine, theirs, "badger")) == {same_id}
