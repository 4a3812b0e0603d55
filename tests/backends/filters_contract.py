"""A caller's filter: every engine agrees with a plain evaluation in Python, in both legs."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from backends.search.base import SearchEngine, Where
from backends.search.changes import Change
from backends.search.facets import FACETS, Facts, filterable
from backends.search.filters import AnyOf, Compared, Contains, Exists, Field, Filter, Not, Or, Order
from backends.search.reach import Credential, Reach
from tests.backends.engine_case import EngineCase
from tests.backends.filter_cases import MOMENT, MOMENTS, some_facts, some_filters
from tests.backends.made import axis, change
from tests.backends.plain import holds

EXPRESSIONS = 3_000
AT_ONCE = 200
SEARCHES = 25
"""So many also go through a whole search."""
TAGS, COLOUR = Field(name="tags"), Field(name="metadata", key="colour")


def tagged(*values: str) -> Filter:
    return AnyOf(field=TAGS, values=values)


class FiltersContract(EngineCase):
    """Filters in every leg."""

    def document(self, mine: Reach, facts: Facts, number: int = 0, **more: Any) -> Change:
        """Return a document that both legs find."""
        return change(mine, f"badger {number}", embedding=axis(number % 7), **filterable(facts), **more)

    def both_legs(
        self, engine: SearchEngine, mine: Reach, asked: Filter, *, using: Credential | None = None
    ) -> list[set[UUID]]:
        """Return what the lexical leg finds, and what the dense one."""
        where, using = Where(filters=asked), using or self.grant(engine, mine)
        return [
            set(self.find(engine, mine, text, using=using, vector=vector, where=where, candidates=200))
            for text, vector in (("badger", None), ("nowhere", axis(0)))
        ]

    def judged(self, engine: SearchEngine, mine: Reach, asked: Sequence[Filter]) -> list[set[UUID]]:
        """Return the documents that pass each filter in the engine itself; many are asked at once."""
        raise NotImplementedError

    def test_thousands_of_expressions_agree_with_a_plain_evaluation(self, engine: SearchEngine, mine: Reach) -> None:
        corpus = some_facts(60)
        documents = [self.document(mine, facts, number) for number, facts in enumerate(corpus)]
        self.put(engine, *documents)
        asked = some_filters(EXPRESSIONS)
        telling = 0
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start : start + AT_ONCE]
            for one, found in zip(part, self.judged(engine, mine, part), strict=True):
                passing = {doc.id for doc, facts in zip(documents, corpus, strict=True) if holds(one, facts)}
                assert found == passing, one
                telling += 0 < len(passing) < len(documents)
        assert len(asked) > EXPRESSIONS / 2
        assert telling > len(asked) / 4  # enough of them tell some documents from others
        using = self.grant(engine, mine)
        for one in asked[:SEARCHES]:
            passing = {doc.id for doc, facts in zip(documents, corpus, strict=True) if holds(one, facts)}
            assert self.both_legs(engine, mine, one, using=using) == [passing] * 2, one

    def test_a_filter_that_few_pass_still_finds_all_of_them(self, engine: SearchEngine, mine: Reach) -> None:
        """In the kNN clause as in the lexical one: nothing is cut before it is filtered."""
        near = [change(mine, "badger badger", embedding=self.beside(number)) for number in range(200)]
        rare = [
            change(mine, "badger and a long tail of words", embedding=[0.1, 0.99] + [0.0] * 382, **filterable({
                "memory_type": "episodic", "tags": ["few"]
            })) for _ in range(3)
        ]  # fmt: skip
        self.put(engine, *[self.without(one) for one in near], *rare)
        for text, vector in (("badger", None), ("nowhere", axis(0))):
            found = self.find(engine, mine, text, vector=vector, where=Where(filters=tagged("few")), candidates=10)
            assert set(found) == {one.id for one in rare}

    def beside(self, number: int) -> list[float]:
        """Return a vector near the first axis that no other number has; a crowd of equal ones spoils a graph."""
        vector = axis(0)
        vector[2 + number] = 0.1
        return vector

    def without(self, one: Change) -> Change:
        """Return a document of today that has nothing to be filtered by but its kind."""
        body = {**(one.body or {}), **filterable({"memory_type": "episodic"})}
        return Change(tenant_id=one.tenant_id, kind=one.kind, id=one.id, version=one.version, body=body)

    def test_a_document_from_before_is_left_to_the_record(self, engine: SearchEngine, mine: Reach) -> None:
        old, new = change(mine, "badger", embedding=axis(0)), self.document(mine, {"memory_type": "episodic"})
        assert FACETS not in (old.body or {})
        self.put(engine, old, new)
        assert self.both_legs(engine, mine, tagged("tea")) == [{old.id}] * 2
        assert self.both_legs(engine, mine, Not(part=tagged("tea"))) == [{old.id, new.id}] * 2

    def test_a_change_of_what_is_filtered_by_is_seen(self, engine: SearchEngine, mine: Reach) -> None:
        facts = {"memory_type": "episodic", "tags": ["tea"], "recorded_at": MOMENT, "agent_id": "a"}
        first = self.document(mine, facts)
        self.put(engine, first)
        agent = AnyOf(field=Field(name="agent_id"), values=("a",))
        at = AnyOf(field=Field(name="recorded_at"), values=(MOMENT,))
        assert self.both_legs(engine, mine, tagged("tea")) == [{first.id}] * 2
        body = {
            **(first.body or {}),
            **filterable({"memory_type": "episodic", "tags": ["milk"]}),
            "recorded_us": None,
        }
        self.put(engine, Change(tenant_id=first.tenant_id, kind=first.kind, id=first.id, version=2, body=body))
        for gone in (tagged("tea"), agent, at):
            assert self.both_legs(engine, mine, gone) == [set()] * 2, gone
        assert self.both_legs(engine, mine, tagged("milk")) == [{first.id}] * 2

    def test_a_microsecond_tells_two_moments_apart(self, engine: SearchEngine, mine: Reach) -> None:
        field = Field(name="recorded_at")
        documents = [self.document(mine, {"memory_type": "episodic", "recorded_at": moment}) for moment in MOMENTS]
        self.put(engine, *documents)
        for index, moment in enumerate(MOMENTS):
            later = Compared(field=field, order=Order.GT, value=moment)
            assert self.both_legs(engine, mine, later)[0] == {one.id for one in documents[index + 1 :]}
            assert self.both_legs(engine, mine, AnyOf(field=field, values=(moment,)))[0] == {documents[index].id}

    @pytest.mark.parametrize("list_name", ["tags", "metadata", "category", "importance", "confidence"])
    def test_a_hidden_field_tells_nothing(self, engine: SearchEngine, mine: Reach, list_name: str) -> None:
        """The credential's own wall: the same answer whatever the field holds, however it is asked."""
        facts = {
            "memory_type": "episodic", "tags": ["tea"], "category": "tea", "importance": 0.5, "confidence": 0.5,
            "metadata": {"colour": "tea"}, "agent_id": "a",
        }  # fmt: skip
        bare = {"memory_type": "episodic", "agent_id": "a"}
        has, lacks = self.document(mine, facts), self.document(mine, bare)
        self.put(engine, has, lacks)
        field = COLOUR if list_name == "metadata" else Field(name=list_name)
        value = 0.5 if list_name in ("importance", "confidence") else "tea"
        asked: list[Filter] = [AnyOf(field=field, values=(value,)), Exists(field=field)]
        if list_name == "metadata":
            asked.append(Contains(field=field, value="e"))
        if list_name != "tags":
            asked.append(Compared(field=field, order=Order.GTE, value=value))
        hiding = Reach(tenant_id=mine.tenant_id, subject_id=None, kinds=mine.kinds, hidden_fields=(list_name,))
        key = self.grant(engine, hiding)
        for one in asked:
            assert self.both_legs(engine, mine, one) == [{has.id}] * 2, one
            if self.hides_fields:
                assert self.both_legs(engine, mine, one, using=key) == [set()] * 2, one
                assert self.both_legs(engine, mine, Not(part=one), using=key) == [{has.id, lacks.id}] * 2, one
        by_agent = AnyOf(field=Field(name="agent_id"), values=("a",))
        assert self.both_legs(engine, mine, by_agent, using=key) == [{has.id, lacks.id}] * 2

    hides_fields = True
    """Whether the engine itself can keep a field from a credential."""

    def test_a_filter_never_widens_what_is_reached(self, engine: SearchEngine, mine: Reach, theirs: Reach) -> None:
        facts = {"memory_type": "episodic", "tags": ["tea"]}
        self.put(engine, self.document(theirs, facts), own := self.document(mine, facts))
        everything = Or(parts=(tagged("tea"), Not(part=tagged("tea"))))
        assert self.both_legs(engine, mine, everything) == [{own.id}] * 2
