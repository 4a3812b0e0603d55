"""Fields hidden from a key: in no answer, in no request, and found by nothing."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from memories.forms.memory import described
from memories.models import CatalogDocument, Entity, Memory, Relation, Turn
from memories.services.engine import search_engine
from tenants.hidden_fields import HIDEABLE
from tenants.services.engine_credential import engine_credential, reach_of
from tenants.services.issue_key import KEY_ABILITIES, KeyNotIssuable, issue_key
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.memories.canaries import API, plant, post, read_all, told

HIDDEN = {"turnmeta", "category", "tag", "meta", "notes", "attribute", "doctag", "docmeta"}
"""The words of canaries that stand in fields that can be hidden."""


@pytest.fixture
def writer(acme: Caller) -> Caller:
    return acme.holding(abilities=KEY_ABILITIES)


@pytest.fixture
def patient(acme: Caller) -> Caller:
    """Return a key from which all that can be hidden is."""
    return acme.holding(abilities=KEY_ABILITIES, hidden_fields=list(HIDEABLE))


def names_in(data: Any) -> set[str]:
    """Return every name of a field in an answer, at any depth."""
    if isinstance(data, dict):
        return {*data, *(name for value in data.values() for name in names_in(value))}
    return {name for item in data for name in names_in(item)} if isinstance(data, list) else set()


def test_what_is_hidden_is_in_no_answer_of_the_api(
    writer: Caller, patient: Caller, each_engine: str, drain: Callable[[], None]
) -> None:
    planted = plant(writer, "h", [])
    drain()
    words = {planted.words[name] for name in HIDDEN}
    open_answers = "".join(told(answer) for _, answer in read_all(writer, planted))
    assert all(word in open_answers for word in words)
    walked, shown = 0, ""
    for what, answer in read_all(patient, planted):
        assert answer.status_code < 500, what
        assert not [word for word in words if word in told(answer)], what
        if answer["Content-Type"] == "application/json":
            assert not names_in(answer.json()) & HIDEABLE.keys(), what
        walked += 1
        shown += told(answer)
    assert walked > 150
    assert planted.words["text"] in shown  # and what is not hidden is there
    assert planted.words["name"] in shown


def test_what_is_hidden_is_in_no_answer_to_a_write_either(writer: Caller, patient: Caller) -> None:
    fact = post(
        writer, "memories/", {"user_id": "u1", "text": "x", "sensitive_notes": "zebrafinch", "tags": ["quokka"]}
    )
    assert (fact["sensitive_notes"], fact["tags"]) == ("zebrafinch", ["quokka"])
    changed = post(patient, f"memories/{fact['id']}/correct/", {"text": "y"})
    assert not names_in(changed) & HIDEABLE.keys()
    kept = writer.client.get(f"{API}memories/{changed['id']}/").json()
    assert (kept["text"], kept["sensitive_notes"], kept["tags"]) == ("y", "zebrafinch", ["quokka"])
    for path in (f"memories/{changed['id']}/invalidate/", f"memories/{fact['id']}/restore/"):
        answer = post(patient, path, {})
        assert "zebrafinch" not in json.dumps(answer)
        assert not names_in(answer) & HIDEABLE.keys()


def test_what_is_hidden_is_neither_written_nor_filtered_by(writer: Caller, patient: Caller) -> None:
    fact = post(writer, "memories/", {"user_id": "u1", "text": "x", "category": "home"})
    entity = post(writer, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Quill"})
    turn = {"user_id": "u1", "session_id": "s", "content": "x"}
    for method, path, body, field in (
        ("post", "memories/", {"text": "x", "sensitive_notes": "y"}, "sensitive_notes"),
        ("patch", f"memories/{fact['id']}/", {"sensitive_notes": "y"}, "sensitive_notes"),
        ("post", f"memories/{fact['id']}/correct/", {"tags": ["y"]}, "tags"),
        ("post", "turns/", {**turn, "metadata": {}}, "metadata"),
        ("post", "turns/batch/", {"turns": [turn, {**turn, "metadata": {}}]}, "turns.1.metadata"),
        ("patch", f"entities/{entity['id']}/", {"attributes": {}}, "attributes"),
        ("post", "catalog/", {"documents": [{"id": "a", "text": "b", "tags": ["c"]}]}, "documents.0.tags"),
        ("get", "memories/?category=home", None, "category"),
    ):
        answer = getattr(patient.client, method)(f"{API}{path}", body, format=None if body is None else "json")
        assert answer.status_code == 403, (path, answer.content)
        assert [fault["field"] for fault in answer.json()["errors"]] == [field]


def test_a_document_that_is_replaced_keeps_what_the_writer_does_not_see(writer: Caller, patient: Caller) -> None:
    document = {"id": "kb/1", "text": "old", "tags": ["quokka"], "metadata": {"a": "zebrafinch"}}
    post(writer, "catalog/", {"documents": [document]}, status=200)
    same = post(patient, "catalog/", {"documents": [{"id": "kb/1", "text": "old"}]}, status=200)
    assert same == {"created": 0, "updated": 0, "unchanged": 1}
    post(patient, "catalog/", {"documents": [{"id": "kb/1", "text": "new"}]}, status=200)
    row = writer.client.get(f"{API}catalog/kb/1/").json()
    assert (row["text"], row["tags"], row["metadata"]) == ("new", ["quokka"], {"a": "zebrafinch"})


@pytest.mark.parametrize("overlay", [True, False])
def test_hidden_words_find_nothing(
    writer: Caller, patient: Caller, each_engine: str, drain: Callable[[], None], overlay: bool
) -> None:
    """The lines around a turn and the attributes of an entity: not even by the rank that they would give."""
    writer.turn("The zebrafinch is loud")
    writer.turn("Something else entirely")
    writer.turn("And a third thing")
    post(writer, "entities/", {"user_id": "u1", "entity_type": "pet", "name": "Quill", "attributes": {"a": "quokka"}})
    if not overlay:
        drain()

    def lexical(caller: Caller, word: str) -> dict[str, float]:
        found = caller.recall(word, overlay=overlay, explain=True, top_k=50)["results"]
        return {hit["text"]: hit["explain"]["parts"]["lexical"] for hit in found}

    for word, text, other in (
        ("zebrafinch", "Something else entirely", "Quill"),
        ("quokka", "Quill", "Something else entirely"),
    ):
        seen, hidden = lexical(writer, word), lexical(patient, word)
        assert seen[text] > seen[other], word
        assert hidden.get(text) == hidden.get(other), word  # neither matches
    loud = lexical(patient, "zebrafinch")
    assert loud["The zebrafinch is loud"] == max(loud.values()) > 0
    if not overlay:
        key = engine_credential(patient.scope, search_engine(), now=timezone.now())
        assert search_engine().reach_of(key.id) == reach_of(patient.scope)
        listed = ("category", "confidence", "importance", "metadata", "tags", "window")
        assert reach_of(patient.scope).hidden_fields == listed


def test_sensitive_notes_tags_and_metadata_are_searched_by_nobody(
    writer: Caller, each_engine: str, drain: Callable[[], None]
) -> None:
    fields = {"sensitive_notes": "zebrafinch", "tags": ["zebrafinch"], "metadata": {"a": "zebrafinch"}}
    post(writer, "memories/", {"user_id": "u1", "text": "The hall is blue", "category": "zebrafinch", **fields})
    for _ in range(2):
        (hit,) = writer.recall("zebrafinch", explain=True)["results"]
        assert hit["explain"]["legs"]["lexical"]["rank"] is None or hit["explain"]["parts"]["lexical"] == 0
        drain()


def test_a_name_that_hides_nothing_is_refused_when_a_key_is_issued(acme: Caller) -> None:
    for unknown in ("text", "embedding", "tenant_id", "sensitive-notes", ""):
        with pytest.raises(KeyNotIssuable, match="hidden_fields"):
            issue_key(acme.system, name="x", hidden_fields=["tags", unknown], now=timezone.now())


def test_every_field_that_can_be_hidden_is_one_of_an_answer(writer: Caller) -> None:
    """Context is of the record and the engine alone: no answer shows it, and hiding it hides it from search."""
    plant(writer, "h", [])
    with open_scope(writer.scope):
        rows = [model.objects.first() for model in (Memory, Entity, Relation, CatalogDocument)]
        assert Turn.objects.exists()
        shown = {name for row in rows for name in described(row)}
    assert HIDEABLE.keys() - shown == {"context"}
    assert not HIDEABLE.keys() & {"id", "text", "status", "version", "user_id", "memory_type", "slot", "compartments"}
