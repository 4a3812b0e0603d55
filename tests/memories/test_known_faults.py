"""Faults that memory services are known for: scopes left out or misread, ids that do not fit, names that break.

Each test walks the operations that the OpenAPI document lists, so that a new one joins by itself.
"""

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from compliance.services.attack.operations import Operation, Slot, operations
from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tests.compliance.test_attack_isolation import connect
from tests.conftest import Caller, make_caller
from tests.fuzz.test_hostile import rows

ALL = operations(connect(""))
NOBODY = "00000000-0000-7000-8000-000000000000"


def path_of(operation: Operation) -> str:
    return re.sub(r"\{[^}]*\}", NOBODY, operation.path)


def takes_user() -> Iterator[tuple[Operation, Slot]]:
    for operation in ALL:
        for slot in operation.slots:
            if slot.name.rpartition(".")[2] == "user_id" and slot.where in {"query", "body"}:
                yield operation, slot


@pytest.mark.parametrize("operation", ALL, ids=str)
def test_without_a_key_everything_is_401(record: None, operation: Operation) -> None:
    for secret in ("", "mneme_000000000000_" + "A" * 43):
        with connect(secret) as client:
            answer = client.request(operation.method, path_of(operation), json=operation.example)
        assert answer.status_code == 401
        assert answer.json()["type"] == "/problems/unauthenticated/"


@pytest.mark.parametrize(("operation", "slot"), list(takes_user()), ids=str)
def test_a_blank_user_is_refused_and_is_never_everybody(acme: Caller, operation: Operation, slot: Slot) -> None:
    secret = issue_key(acme.system, name="all", abilities=list(KEY_ABILITIES), now=timezone.now()).secret
    blanks: list[Any] = ["", " ", "\t", "\u3000", None, [], {}]
    for blank in blanks:
        with connect(secret) as client:
            if slot.where == "query":
                if not isinstance(blank, str):
                    continue
                answer = client.request(operation.method, path_of(operation), params={slot.name: blank})
            else:
                body = dict(operation.example or {})
                if slot.name == "user_id":
                    body["user_id"] = blank
                else:
                    body["turns"] = [{**body["turns"][0], "user_id": blank}]
                answer = client.request(operation.method, path_of(operation), json=body)
        assert answer.status_code == 400, (blank, answer.text)
        assert any(fault["field"].endswith("user_id") for fault in answer.json()["errors"])


def test_reading_writes_nothing(acme: Caller, drain: Callable[[], None]) -> None:
    acme.turn("The otter is called Bramble")
    drain()
    before = rows()
    for operation in ALL:
        if operation.method == "GET":
            with connect(acme.secret) as client:
                client.get(path_of(operation), params={"user_id": "never seen"})
                client.get(path_of(operation))
    assert rows() == before


@pytest.mark.parametrize("slug", ["main", "or", "not", "_", "a-b", "AND", "null", "none", "all", "public", "mneme"])
def test_a_tenant_may_be_called_anything(each_engine: str, drain: Callable[[], None], slug: str) -> None:
    caller, other = make_caller(slug), make_caller(f"{slug}-2")
    caller.turn("The otter is called Bramble", user_id=slug)
    other.turn("The heron is called Quill", user_id=slug)
    drain()
    found = caller.recall("otter or heron", user_id=slug, overlay=False)["results"]
    assert [hit["text"] for hit in found] == ["The otter is called Bramble"]


def test_wildcards_in_ids_are_letters(each_engine: str, acme: Caller, drain: Callable[[], None]) -> None:
    users = ["a_b", "aXb", "a%b", "a%", "%", "_", "a\\b", "*", "a*", "a b", "a,b", "a|b", 'a"b', "a'b", "A_B", "ａ_b"]
    for user in users:
        acme.turn(f"The otter of {user} swims", user_id=user, session_id="the same")
    drain()
    for user in users:
        found = acme.recall("otter", user_id=user, overlay=False)["results"]
        assert [hit["user_id"] for hit in found] == [user]
        with connect(acme.secret) as client:
            listed = client.get("/api/v1/subjects/", params={"user_id": user}).json()["results"]
        assert [subject["user_id"] for subject in listed] == [user]


def test_one_session_id_of_two_users_is_two_sessions(acme: Caller, drain: Callable[[], None]) -> None:
    for user in ("u1", "u2"):
        turns = [acme.turn(f"{user} says {number}", user_id=user, session_id="s") for number in range(2)]
        assert [turn["position"] for turn in turns] == [0, 1]
    drain()
    for user in ("u1", "u2"):
        found = acme.recall("says", user_id=user, filters={"session_id": "s"}, overlay=False)["results"]
        assert {hit["text"] for hit in found} == {f"{user} says 0", f"{user} says 1"}


def test_names_and_tags_keep_every_character(acme: Caller) -> None:
    names = ["Smith, Jones; & Co", "a|b", 'the "quoted"', "it's", "🦦 otter", "[1,2]", "{}", "a\\b", "％", "#1 @home"]
    for name in names:
        body = {"user_id": "u1", "entity_type": "firm", "name": name, "aliases": [f"{name}!"]}
        made = acme.client.post("/api/v1/entities/", body, format="json").json()
        with connect(acme.secret) as client:
            found = client.get("/api/v1/entities/", params={"name": name}).json()["results"]
        assert [(item["id"], item["name"], item["aliases"]) for item in found] == [(made["id"], name, [f"{name}!"])]
    fact = {"user_id": "u1", "text": "tagged", "tags": [f"t {name}" for name in names]}
    assert acme.client.post("/api/v1/memories/", fact, format="json").json()["tags"] == fact["tags"]


def test_an_id_from_any_answer_leads_on_everywhere(acme: Caller, drain: Callable[[], None]) -> None:
    acme.turn("The otter is called Bramble")
    acme.client.post("/api/v1/memories/", {"user_id": "u1", "text": "Otters swim"}, format="json")
    drain()
    listed = [item["id"] for item in acme.client.get("/api/v1/memories/").json()["results"]]
    recalled = [hit["memory_id"] for hit in acme.recall("otter")["results"]]
    assert {*recalled} == {*listed}
    for memory_id in recalled:
        for verb in ("", "history/", "source/"):
            assert acme.client.get(f"/api/v1/memories/{memory_id}/{verb}").status_code == 200


def test_moments_have_one_spelling(acme: Caller, drain: Callable[[], None]) -> None:
    turn = acme.turn("The otter is called Bramble", occurred_at="2026-03-01T09:00:00+08:00")
    fact = acme.client.post(
        "/api/v1/memories/",
        {"user_id": "u1", "text": "Otters swim", "valid_from": "2026-03-01T01:00:00Z"},
        format="json",
    ).json()
    drain()
    one = f"memories/{fact['id']}"
    paths = ("memories/", "subjects/", "keys/me/", f"{one}/history/", f"{one}/source/")
    answers = [turn, fact, acme.recall("otter"), *(acme.client.get(f"/api/v1/{path}").json() for path in paths)]
    spelt = [value for answer in answers for key, value in leaves(answer) if key.endswith("_at") and value]
    assert len(spelt) > 10
    assert [value for value in spelt if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value)] == []
    assert turn["occurred_at"] == "2026-03-01T01:00:00Z"


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def test_a_conflict_is_an_answer_and_no_error_of_ours(acme: Caller, caplog: pytest.LogCaptureFixture) -> None:
    fact = acme.client.post(
        "/api/v1/memories/", {"user_id": "u1", "text": "Ada lives in Leeds"}, format="json"
    ).json()
    path = f"/api/v1/memories/{fact['id']}/"
    with caplog.at_level(logging.INFO):
        stale = acme.client.patch(path, {"importance": 0.9}, format="json", headers={"If-Match": '"1"'})
        assert stale.status_code == 412
        for expected in (201, 409):
            answer = acme.client.post(f"{path}correct/", {"text": "Ada lives in Leith"}, format="json")
            assert answer.status_code == expected
    assert [entry for entry in caplog.records if entry.levelno >= logging.ERROR or entry.exc_info] == []
