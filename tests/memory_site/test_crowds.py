"""One request, however it is made up, costs little time and memory and gets a short answer."""

import json
import time
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tenants.scope import Ability
from tenants.services.issue_key import issue_key
from tests.conftest import Caller, client_with
from tests.memory_site.test_errors import TURN, problem


@pytest.fixture
def librarian(acme: Caller) -> APIClient:
    """Return a client that may write turns and the catalog."""
    abilities = [Ability.TURNS_WRITE, Ability.CATALOG_WRITE]
    return client_with(issue_key(acme.system, name="librarian", abilities=abilities, now=timezone.now()).secret)


CROWDS = {
    "values": '{"turns": [' + "0," * 400_000 + "0]}",
    "strings": '{"turns": [' + '"",' * 400_000 + '""]}',
    "names": '{"turns": [{' + ",".join(f'"{number}":0' for number in range(200_001)) + "}]}",
    "objects": '{"turns": [' + "{}," * 400_000 + "{}]}",
    "lists": '{"turns": [' + "[]," * 400_000 + "[]]}",
    "strings without a comma": '{"turns": [' + '"" ' * 400_000 + "]}",
}


@pytest.mark.parametrize("crowd", CROWDS)
def test_a_crowd_of_values_is_refused_before_it_is_made(acme: Caller, crowd: str) -> None:
    start = time.process_time()
    body = problem(acme.client.post("/api/v1/turns/batch/", CROWDS[crowd], content_type="application/json"))
    assert "200000 values and names" in body["detail"]
    assert time.process_time() - start < 10  # it took a minute


@pytest.mark.parametrize("text", ['"' + '\\"' * 2_000_000, '"' + "a" * 4_000_000, '"' + "\\" * 4_000_001])
def test_a_string_without_an_end_costs_its_length_once(acme: Caller, text: str) -> None:
    start = time.process_time()
    problem(acme.client.post("/api/v1/turns/batch/", '{"turns": [' + text, content_type="application/json"))
    assert time.process_time() - start < 10  # it took a minute


def test_commas_in_texts_are_no_values(acme: Caller) -> None:
    batch = {"turns": [{**TURN, "content": ',":[{' * 6_000}] * 20}
    assert acme.client.post("/api/v1/turns/batch/", batch, format="json").status_code == 201


def test_a_long_name_over_many_values_is_not_copied_for_each(acme: Caller) -> None:
    start = time.process_time()
    body = json.dumps({"turns": [{"x" * 1_000_000: list(range(190_000))}]})
    errors = problem(acme.client.post("/api/v1/turns/batch/", body, content_type="application/json"))["errors"]
    assert time.process_time() - start < 10  # it took a minute
    assert [error["field"][:10] for error in errors if "xx" in error["field"]] == ["turns.0.xx"]
    assert len(json.dumps(errors)) < 2_000


def test_at_most_20_faults_are_listed(acme: Caller) -> None:
    fields = {f"field {number}": 0 for number in range(1_000)}
    for path, body in (("turns/", {**TURN, **fields}), ("turns/batch/", {"turns": [{**TURN, **fields}] * 30})):
        errors = problem(acme.client.post(f"/api/v1/{path}", body, format="json"))["errors"]
        assert len(errors) == 20


def test_what_a_fault_echoes_is_cut(acme: Caller) -> None:
    answer = acme.client.post("/api/v1/turns/", {**TURN, "role": "x" * 100_000}, format="json")
    assert len(answer.content) < 3_000
    assert problem(answer)["errors"][0]["field"] == "role"


@pytest.mark.parametrize(("path", "field"), [("turns/batch/", "turns"), ("catalog/", "documents")])
@pytest.mark.parametrize("item", [1, [], "x", None, True])
def test_an_item_that_is_no_object_is_named(librarian: APIClient, path: str, field: str, item: Any) -> None:
    answer = librarian.post(f"/api/v1/{path}", {field: [item]}, format="json")
    assert [error["field"] for error in problem(answer)["errors"]] == [f"{field}.0"]


@pytest.mark.parametrize(("path", "field"), [("turns/batch/", "turns"), ("catalog/", "documents")])
def test_the_length_of_a_list_is_looked_at_first(librarian: APIClient, path: str, field: str) -> None:
    answer = librarian.post(f"/api/v1/{path}", {field: [1] * 501}, format="json")
    errors = problem(answer)["errors"]
    assert [(error["field"], error["message"]) for error in errors] == [
        (field, "must have at most 500 items, has 501")
    ]


def test_a_span_that_is_no_object_is_named(acme: Caller) -> None:
    answer = acme.client.post("/api/v1/memories/", {"text": "x", "sources": [1]}, format="json")
    assert [error["field"] for error in problem(answer)["errors"]] == ["sources.0"]


@pytest.mark.parametrize(("path", "limit"), [("turns/", 1024 * 1024), ("turns/batch/", 32 * 1024 * 1024)])
def test_the_length_of_a_body_depends_on_its_path(acme: Caller, path: str, limit: int) -> None:
    for length, status in ((limit, 400), (limit + 1, 413)):
        body = '{"x": "' + "x" * (length - 9) + '"}'
        problem(acme.client.post(f"/api/v1/{path}", body, content_type="application/json"), status)


def test_another_charset_is_refused(acme: Caller) -> None:
    problem(
        acme.client.post("/api/v1/turns/", json.dumps(TURN), content_type="application/json; charset=utf-16"), 415
    )
    answer = acme.client.post("/api/v1/turns/", json.dumps(TURN), content_type='application/json; charset="UTF-8"')
    assert answer.status_code == 201


def test_options_and_other_methods_describe_nothing(acme: Caller) -> None:
    problem(acme.client.options("/api/v1/turns/"), 405)
    for path in ("live", "ready"):
        answer = acme.client.post(f"/health/{path}/", {}, format="json")
        problem(answer, 405)
        assert answer["Allow"] == "GET, HEAD"
