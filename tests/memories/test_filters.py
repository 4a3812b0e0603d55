"""Filters in the record, in lists and in recall: all agree with a plain evaluation of what each row has."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from backends.search import names
from backends.search.filter_json import reread, written
from backends.search.filters import FIELDS as ALL_FIELDS
from backends.search.filters import METADATA, Filter, Type, fields_of
from memories.documents.facts import facts
from memories.forms.filter_reader import CONTAINS_MAX, VALUES_MAX
from memories.forms.filter_values import PART_MAX_LENGTH, TEXT_MAX_LENGTH
from memories.models import CatalogDocument, Entity, Memory, Relation, Source
from memories.services.filtering import condition
from tenants.services.issue_key import KEY_ABILITIES
from tenants.services.open_scope import open_scope
from tests.backends.filter_cases import fewer_filters, some_filters
from tests.backends.plain import holds
from tests.conftest import Caller, login
from tests.memories.canaries import API
from tests.memories.filter_corpus import ROWS, stored

EXPRESSIONS = 3_000
EVERY = 15
"""So many times fewer go through HTTP."""


def listed(caller: Caller, asked: Any, path: str = "memories/") -> Any:
    return caller.client.get(f"{API}{path}", {"filters": json.dumps(asked), "limit": "200"})


def ids(answer: Any, name: str = "id") -> set[UUID]:
    assert answer.status_code == 200, answer.content
    return {UUID(row[name]) for row in answer.json()["results"]}


def test_many_expressions_agree_in_the_record(acme: Caller) -> None:
    corpus = stored(acme)
    assert len(corpus) == ROWS
    telling = 0
    with open_scope(acme.scope):
        for asked in some_filters(EXPRESSIONS)[::2]:
            passing = {row_id for row_id, held in corpus.items() if holds(asked, held)}
            found = Memory.objects.filter(condition(Memory, asked)).values_list("id", flat=True)
            assert sorted(found) == sorted(passing), asked
            telling += 0 < len(passing) < ROWS
    assert telling > EXPRESSIONS / 8


def test_a_list_and_its_json_agree_too(acme: Caller) -> None:
    corpus = stored(acme)
    for asked in fewer_filters(EXPRESSIONS, every=EVERY):
        assert reread(written(asked)) == asked
        passing = {row_id for row_id, held in corpus.items() if holds(asked, held)}
        assert ids(listed(acme, written(asked))) == passing, written(asked)


def test_recall_agrees_before_and_after_the_engine_knows(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    """First what the overlay finds, which asks the record; then the engine, alone."""
    corpus = stored(acme)
    for overlay in (True, False):
        answered = recalled(acme, {}, overlay=overlay)
        if not overlay:
            drain()
            answered = recalled(acme, {}, overlay=False)
            assert len(answered) > ROWS / 4  # the others are over, or have expired
        for asked in fewer_filters(EXPRESSIONS, every=3 * EVERY):
            passing = {row_id for row_id in answered if holds(asked, corpus[row_id])}
            assert recalled(acme, written(asked), overlay=overlay) == passing, written(asked)


def recalled(caller: Caller, asked: Any, *, overlay: bool) -> set[UUID]:
    body = {"query": "badger", "top_k": 100, "filters": asked, "overlay": overlay}
    kinds = list(names.MEMORY_KINDS)
    answer = caller.client.post(f"{API}recall/", {**body, "memory_types": kinds}, format="json")
    return ids(answer, "memory_id")


def test_what_is_no_memory_has_its_own_fields_and_lacks_the_others(acme: Caller) -> None:
    post = acme.holding(abilities=KEY_ABILITIES).client.post
    pets = [
        post(f"{API}entities/", {"entity_type": "pet", "name": name}, format="json").json()["id"]
        for name in ("Quill", "Rook")
    ]
    edge = {"subject_entity_id": pets[0], "predicate": "barks at", "object_entity_id": pets[1]}
    assert post(f"{API}relations/", edge, format="json").status_code == 201
    documents = [{"id": "a", "text": "x", "tags": ["kb"], "metadata": {"a": 1}}, {"id": "b", "text": "y"}]
    assert post(f"{API}catalog/", {"documents": documents}, format="json").status_code == 200
    with open_scope(acme.scope):
        for table in (Entity, Relation, CatalogDocument):
            rows: dict[UUID, Any] = {row.id: facts(row) for row in table.objects.select_related()}
            assert rows
            for asked in fewer_filters(EXPRESSIONS, every=10):
                passing = {row_id for row_id, held in rows.items() if holds(asked, held)}
                found = table.objects.filter(condition(table, asked)).values_list("id", flat=True)
                assert set(found) == passing, (table, asked)


def test_every_field_is_asked_for_by_the_expressions(acme: Caller) -> None:
    def asked_by(expressions: list[Filter]) -> set[str]:
        return {field.name for asked in expressions for field in fields_of(asked)}

    assert asked_by(some_filters(EXPRESSIONS)) == set(ALL_FIELDS)
    assert asked_by(fewer_filters(EXPRESSIONS, every=3 * EVERY)) == set(ALL_FIELDS)
    assert ALL_FIELDS[METADATA] is Type.ANY


def test_sources_that_come_and_go_are_in_the_engine_too(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    memory = acme.client.post(f"{API}memories/", {"text": "badger"}, format="json").json()
    drain()
    asked = {"provenance.source_type": "tool"}
    assert recalled(acme, asked, overlay=False) == set()
    with open_scope(acme.scope):
        source = Source.objects.create(
            tenant_id=acme.key.tenant_id, memory_id=memory["id"], source_type="tool", relation="derived",
            recorded_at=timezone.now(),
        )  # fmt: skip
    drain()
    assert recalled(acme, asked, overlay=False) == {UUID(memory["id"])}
    assert acme.client.get(f"{API}memories/{memory['id']}/").json()["version"] == memory["version"]
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM memories_source WHERE id = %s", [source.id])
    drain()
    assert recalled(acme, asked, overlay=False) == set()


def test_a_turns_metadata_is_its_memorys(acme: Caller, drain: Callable[[], None], each_engine: str) -> None:
    slack = acme.turn("the badger called", metadata={"channel": "slack", "thread": [1, 2]})
    acme.turn("the badger wrote", metadata={"channel": "mail"})
    for overlay in (True, False):
        for asked in ({"metadata.channel": "slack"}, {"metadata.thread": {"contains": 2}}):
            found = acme.recall("badger", user_id="u1", filters=asked, overlay=overlay)["results"]
            assert [(hit["memory_id"], hit["metadata"]["channel"]) for hit in found] == [
                (slack["memory_id"], "slack")
            ]
        drain()


def test_the_same_instant_in_any_spelling_finds_the_same(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    for offset in ("Z", "+00:00"):
        acme.turn(f"badger {offset}", occurred_at=f"2026-03-01T09:00:00{offset}")
    acme.turn("badger in Denver", occurred_at="2026-03-01T02:00:00-07:00")
    acme.turn("badger later", occurred_at="2026-03-01T02:00:00.000001-07:00")
    for overlay in (True, False):
        for same in ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00+00:00", "2026-03-01T02:00:00-07:00"):
            for asked, number in (({"eq": same}, 3), ({"gt": same}, 1), ({"lte": same}, 3), ({"ne": same}, 1)):
                found = recalled(acme, {"occurred_at": asked}, overlay=overlay)
                assert len(found) == number, asked
                assert ids(listed(acme, {"valid_from": asked})) == found
        drain()


def test_true_is_not_1_and_no_answer_is_kept_for_the_other(
    acme: Caller, drain: Callable[[], None], each_engine: str
) -> None:
    """Answers are kept by what was asked, and Python holds True for 1."""
    held = {
        value: acme.client.post(
            f"{API}memories/", {"text": f"badger {value!r}", "metadata": {"x": value}}, format="json"
        ).json()["id"]
        for value in (1, "1", "true")
    }
    sure = {"text": "badger indeed", "metadata": {"x": True}}
    truth = acme.client.post(f"{API}memories/", sure, format="json").json()["id"]
    drain()
    for value, memory_id in (*held.items(), (1.0, held[1]), ("true", held["true"])):
        assert recalled(acme, {"metadata.x": value}, overlay=False) == {UUID(memory_id)}
        assert recalled(acme, {"metadata.x": True}, overlay=False) == {UUID(truth)}


def test_the_longest_filters_are_answered(acme: Caller, drain: Callable[[], None], each_engine: str) -> None:
    part = "\U0001f9a6*?\\%_'\"" * 146
    text = {"text": "badger", "metadata": {"x": f"<{part}>"}, "tags": ["a"]}
    memory = acme.client.post(f"{API}memories/", text, format="json").json()
    drain()
    inside = [{"metadata.x": {"contains": part[number : number + PART_MAX_LENGTH]}} for number in range(CONTAINS_MAX)]
    several = [{"tags": {"nin": [f"{part[:500]}{index}" for index in range(VALUES_MAX)]}} for _ in range(10)]
    for overlay in (True, False):
        for asked in ({"AND": inside}, {"AND": several}, {"NOT": {"NOT": {"AND": [*inside, *several]}}}):
            assert recalled(acme, asked, overlay=overlay) == {UUID(memory["id"])}
    near = {"metadata.x": {"contains": f"{part[: PART_MAX_LENGTH - 1]}!"}}
    assert recalled(acme, near, overlay=False) == set()
    whole = {"metadata.x": {"gte": f"<{part}"[:TEXT_MAX_LENGTH]}}
    assert recalled(acme, whole, overlay=False) == {UUID(memory["id"])}
