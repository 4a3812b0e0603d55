"""Bad input gets one clear error that names the field, and nothing is stored."""

import json
from collections import defaultdict
from typing import Any

import pytest
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.exceptions import ValidationError
from rest_framework.test import APIClient

from memories.models import Turn
from tenants.forms.strict import TextField
from tenants.ids import uuid7
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, client_with

TURN: dict[str, Any] = {"user_id": "u1", "session_id": "s1", "content": "hello"}
DEEP: Any = {}
for _ in range(40):
    DEEP = {"x": DEEP}

BAD_TURNS: list[tuple[dict[str, Any], str]] = [
    ({"user_id": ""}, "user_id"),
    ({"user_id": "   "}, "user_id"),
    ({"user_id": None}, "user_id"),
    ({"user_id": 7}, "user_id"),
    ({"user_id": "a\nb"}, "user_id"),
    ({"user_id": "x" * 256}, "user_id"),
    ({"session_id": ""}, "session_id"),
    ({"agent_id": "\t"}, "agent_id"),
    ({"content": ""}, "content"),
    ({"content": " \n "}, "content"),
    ({"content": "x" * 32_001}, "content"),
    ({"content": "a\x00b"}, "content"),
    ({"content": "a\ud800b"}, "content"),
    ({"content": ["a"]}, "content"),
    ({"role": "system"}, "role"),
    ({"speaker": "x" * 201}, "speaker"),
    ({"speaker": "a\nb"}, "speaker"),
    ({"speaker": "a\x85b"}, "speaker"),
    ({"speaker": "a\u2028b"}, "speaker"),
    ({"occurred_at": "2026-03-01T09:30:00"}, "occurred_at"),
    ({"occurred_at": "yesterday"}, "occurred_at"),
    ({"occurred_at": "2999-01-01T00:00:00Z"}, "occurred_at"),
    ({"occurred_at": "0001-01-01T00:00:00+14:00"}, "occurred_at"),
    ({"occurred_at": 1772357400}, "occurred_at"),
    ({"metadata": {"user_id": "u2"}}, "metadata"),
    ({"metadata": {"tenant_id": "x"}}, "metadata"),
    ({"metadata": {"note": "x" * 9_000}}, "metadata"),
    ({"metadata": {"a": "b\x00"}}, "metadata.a"),
    ({"metadata": "x"}, "metadata"),
    ({"tenant_id": "globex"}, "tenant_id"),
    ({"colour": "blue"}, "colour"),
    ({"thread_id": "s2"}, "thread_id"),
]


def problem(answer: Any, status: int = 400) -> dict[str, Any]:
    """Return the problem of an answer that is one."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert {"type", "title", "status", "detail", "errors", "request_id"} <= body.keys()
    assert body["request_id"] == answer["X-Request-ID"]
    return body


def archived(caller: Caller) -> int:
    with open_scope(caller.scope):
        return Turn.objects.count() + Subject.objects.count()


@pytest.mark.parametrize(("fields", "field"), BAD_TURNS)
def test_a_bad_turn_is_400_and_names_its_field(acme: Caller, fields: dict[str, Any], field: str) -> None:
    for path, body, prefix in (
        ("turns/", {**TURN, **fields}, ""),
        ("turns/batch/", {"turns": [TURN, {**TURN, **fields}]}, "turns.1."),
    ):
        errors = problem(acme.client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json"))[
            "errors"
        ]
        assert [error["field"] for error in errors] == [prefix + field]
        assert all(error["message"] for error in errors)
    assert archived(acme) == 0


def test_missing_fields_are_all_named(acme: Caller) -> None:
    errors = problem(acme.client.post("/api/v1/turns/", {}, format="json"))["errors"]
    assert {error["field"] for error in errors} == {"session_id", "content"}


def test_deep_json_is_refused(acme: Caller) -> None:
    problem(acme.client.post("/api/v1/turns/", {**TURN, "metadata": DEEP}, format="json"))
    bomb = '{"metadata":' + "[" * 100_000 + "]" * 100_000 + "}"
    problem(acme.client.post("/api/v1/turns/", bomb, content_type="application/json"))
    assert archived(acme) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"\xff\xfe",
        b'{"content": NaN}',
        b'{"content": "a", "content": "b"}',
        b'{"session_id": "s", "content": "c", "metadata": {"a": 1e999}}',
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_body_that_is_no_json_object_is_400(acme: Caller, body: bytes) -> None:
    problem(acme.client.post("/api/v1/turns/", body, content_type="application/json"))


@pytest.mark.parametrize("count", [0, 501])
def test_a_batch_has_1_to_500_turns(acme: Caller, count: int) -> None:
    answer = acme.client.post("/api/v1/turns/batch/", {"turns": [TURN] * count}, format="json")
    assert problem(answer)["errors"][0]["field"] == "turns"
    assert archived(acme) == 0


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": "x" * 4_001}, "query"),
        ({"user_id": ""}, "user_id"),
        ({"user_id": None}, "user_id"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": 101}, "top_k"),
        ({"top_k": "many"}, "top_k"),
        ({"top_k": 5, "limit": 5}, "limit"),
        ({"valid_at": "2026-03-01"}, "valid_at"),
        ({"filters": {"user_id": "u2"}}, "filters.user_id"),
        ({"filters": {"session_id": ""}}, "filters.session_id"),
        ({"filters": {"session_id": {"wildcard": "*"}}}, "filters.session_id"),
        ({"filters": []}, "filters"),
        ({"tenant": "globex"}, "tenant"),
        ({"explain": "perhaps"}, "explain"),
    ],
)
def test_a_bad_question_is_400_and_names_its_field(acme: Caller, fields: dict[str, Any], field: str) -> None:
    answer = acme.client.post("/api/v1/recall/", {"query": "tea", **fields}, format="json")
    assert [error["field"] for error in problem(answer)["errors"]] == [field]


def test_no_path_and_no_method_are_problems_too(acme: Caller) -> None:
    assert problem(acme.client.get("/api/v1/nowhere/"), 404)["type"] == "/problems/not-found/"
    problem(acme.client.get("/api/v1/turns/batch/"), 405)
    problem(acme.client.put("/api/v1/recall/", {}, format="json"), 405)
    problem(acme.client.post("/api/v1/turns/", "a=b", content_type="application/x-www-form-urlencoded"), 415)


def test_a_harmless_request_id_is_kept_and_another_replaced(record: None) -> None:
    client = APIClient()
    assert client.get("/health/live/", headers={"X-Request-ID": "trace-7"})["X-Request-ID"] == "trace-7"
    assert client.get("/health/live/", headers={"X-Request-ID": "a b<script>"})["X-Request-ID"] != "a b<script>"


def test_health(record: None) -> None:
    client = APIClient()
    assert client.get("/health/live/").json() == {"status": "alive"}
    ready = client.get("/health/ready/")
    assert ready.status_code == 200
    assert ready.json()["checks"] == {
        "database": "ok",
        "walls": "ok",
        "search": "ok",
        "isolation": "ok",
        "native": "not asked for",
        "sync": "ok",
        "embedder": "ok",
        "broker": "no answer",
    }


@pytest.mark.parametrize("query", ["?!", "…", "who", "😀", "'; DROP TABLE memories_turn; --", "a" * 4_000, "\x01"])
def test_an_odd_question_is_answered(acme: Caller, query: str) -> None:
    acme.turn("the otter is called Bramble")
    assert acme.recall(query)["degraded"] == []


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "0999-12-31T23:59:59.999999+00:00", "1969-07-20T20:17:40Z"]
)
def test_an_old_turn_is_kept_and_found(acme: Caller, moment: str) -> None:
    acme.turn("the otter is called Bramble", occurred_at=moment)
    assert len(acme.recall("otter", valid_at=moment)["results"]) == 1


def test_unknown_and_missing_fields_are_named_together_with_a_guess(acme: Caller) -> None:
    said = problem(acme.client.post("/api/v1/recall/", {"quary": "x", "colour": 1, "top_k": 0}, format="json"))
    messages = {fault["field"]: fault["message"] for fault in said["errors"]}
    assert messages["quary"] == "is not a field of this request; did you mean query?"
    assert messages["colour"] == "is not a field of this request"
    assert "required" in messages["query"]
    assert "top_k" in messages


def test_an_over_long_name_of_a_field_is_refused_without_guessing(acme: Caller) -> None:
    said = problem(acme.client.post("/api/v1/recall/", {"query": "x", "user_id" * 10_000: 1}, format="json"))
    assert [fault["message"] for fault in said["errors"]] == ["is not a field of this request"]


def test_a_user_id_in_place_of_a_subjects_id_is_pointed_to_the_id(acme: Caller) -> None:
    acme.turn("hello", user_id="ada lee")
    key = issue_key(acme.system, name="c", abilities=[Ability.COMPLIANCE, Ability.MEMORIES_READ], now=timezone.now())
    client = client_with(key.secret)
    said = problem(client.post("/api/v1/subjects/ada lee/erase/", format="json"), 404)
    assert said["type"] == "/problems/not-found/"
    assert said["detail"].startswith("ada lee is not the id of a user.")
    way = said["detail"].rpartition("GET ")[2]
    assert problem(client.get("/api/v1/subjects/ada lee/"), 404)["detail"] == said["detail"]
    found = client.get(way).json()["results"][0]
    assert found["user_id"] == "ada lee"
    assert client.post(f"/api/v1/subjects/{found['id']}/erase/", format="json").status_code == 202
    problem(acme.client.post("/api/v1/subjects/ada/erase/", format="json"), 403)


@pytest.mark.parametrize("value", ["\0", "\0b", "a\0", "a\0b"])
def test_nul_in_a_query_is_400_and_names_its_field(acme: Caller, value: str) -> None:
    key = issue_key(acme.system, name="all", abilities=list(KEY_ABILITIES), now=timezone.now())
    client = client_with(key.secret)
    tried = 0
    for path, operation in SchemaGenerator().get_schema(request=None, public=True)["paths"].items():  # type: ignore[no-untyped-call]
        for parameter in operation.get("get", {}).get("parameters", []):
            if parameter["in"] == "query":
                answer = client.get(path.format_map(defaultdict(uuid7)), {parameter["name"]: value})
                faults = problem(answer)["errors"]
                assert parameter["name"] in [fault["field"] for fault in faults], (path, faults)
                tried += 1
    assert tried > 15


@pytest.mark.parametrize("value", ["a\0", "\ud800", "a\udfffb"])
def test_a_text_field_refuses_what_postgres_cannot_keep(value: str) -> None:
    with pytest.raises(ValidationError, match="must not contain"):
        TextField(max_length=10).run_validation(value)
    assert TextField(max_length=10).run_validation("a\U0001f600\x01") == "a\U0001f600\x01"
