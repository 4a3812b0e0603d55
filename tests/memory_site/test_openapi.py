"""The OpenAPI document is whole, and its examples work as they stand."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tests.conftest import Caller, client_with

FIRST = ["turns", "turns/batch", "memories", "procedures", "entities", "catalog", "keys"]
"""What later examples refer to."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Return the document."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and operation, those first that others refer to."""

    def place(path: str) -> tuple[int, str]:
        name = path.removeprefix("/api/v1/").rstrip("/")
        return (FIRST.index(name) if name in FIRST else len(FIRST), path)

    for path in sorted(document["paths"], key=place):
        for method in ("post", "get", "put", "patch", "delete"):
            if method in document["paths"][path]:
                yield path, method, document["paths"][path][method]


def test_the_document_is_valid_and_has_every_path_of_the_api(document: dict[str, Any]) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]
    served = {
        f"/api/v1/{route.pattern}"
        for part in get_resolver().url_patterns
        if isinstance(part, URLResolver) and str(part.pattern) == "api/v1/"
        for route in part.url_patterns
    }
    assert len(document["paths"]) == len(served)
    for path, method, operation in operations(document):
        assert operation["description"], (path, method)
        assert 0 < len(operation["summary"]) <= 120, (path, method)
        assert " ".join(operation["description"].split()).startswith(operation["summary"]), (path, method)
        assert operation["security"] == [{"ApiKey": []}], (path, method)


def test_every_example_works_and_is_answered_as_it_says(acme: Caller, document: dict[str, Any]) -> None:
    abilities = list(KEY_ABILITIES)
    client = client_with(issue_key(acme.system, name="all", abilities=abilities, now=timezone.now()).secret)
    made: dict[str, str] = {}
    tried = 0
    for path, method, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        bodies = [example["value"] for example in content.get("examples", {}).values()]
        for body in bodies:
            sent = {key: made["entities"] if value == "ENTITY" else value for key, value in body.items()}
            if path.endswith("/relations/"):
                city = {"user_id": "ada", "entity_type": "city", "name": "Hangzhou"}
                sent["object_entity_id"] = client.post("/api/v1/entities/", city, format="json").json()["id"]
            if path.endswith("/merge/"):
                same = {"user_id": "ada", "entity_type": "courier", "name": "S.F. Express"}
                sent["entity_id"] = client.post("/api/v1/entities/", same, format="json").json()["id"]
            answer = getattr(client, method)(filled(path, made), sent, format="json")
            expected = next(code for code in operation["responses"] if code.startswith("2"))
            assert str(answer.status_code) == expected, (method, path, answer.content)
            check(document, operation["responses"][expected], answer.json())
            if method == "post" and {"id", "key_id"} & answer.json().keys() and "{" not in path:
                made[path.split("/")[3]] = answer.json().get("id") or answer.json()["key_id"]
            if path.endswith("/correct/") or (method == "patch" and "{" in path):
                made[path.split("/")[3]] = answer.json()["id"]  # a change is another row
            tried += 1
    assert tried >= 14


def filled(path: str, made: dict[str, str]) -> str:
    """Put the ids of what was made into a path."""
    path = path.replace("{key_id}", made.get("keys", "")).replace("{name}", "made-for-this")
    for name, kind in (("memory_id", "memories"), ("entity_id", "entities"), ("relation_id", "relations")):
        own = "procedures" if "procedures" in path else kind
        path = path.replace("{" + name + "}", made.get(own, ""))
    return path


def check(document: dict[str, Any], response: dict[str, Any], answer: Any) -> None:
    """Validate an answer against its schema."""
    schema = response["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": document["components"]})
    errors = [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(answer)]
    assert not errors


def test_the_page_and_the_document_are_served_without_a_key(acme: Caller) -> None:
    client = client_with("nobody")
    page = client.get("/api/docs/")
    assert page.status_code == 200
    assert b"cdn" not in page.content
    assert client.get("/api/schema/").status_code == 200


def test_what_is_not_plain_from_its_name_is_described(document: dict[str, Any]) -> None:
    fields = document["components"]["schemas"]
    for form, field, words in (
        ("RecallInputRequest", "overlay", "a moment ago"),
        ("RecallInputRequest", "filters", "thread_id"),
        ("TurnInputRequest", "session_id", "run_id"),
    ):
        assert words in fields[form]["properties"][field]["description"], (form, field)
    listing = document["paths"]["/api/v1/memories/"]["get"]
    assert listing["summary"] == "Return memories, newest first; `next` is the `before` of the following page"
    assert "superseded" in listing["description"]
    erasing = document["paths"]["/api/v1/subjects/{subject_id}/erase/"]["post"]
    assert erasing["parameters"][0]["schema"] == {"type": "string", "format": "uuid"}


def test_the_root_leads_to_the_page(acme: Caller) -> None:
    answer = client_with("nobody").get("/")
    assert (answer.status_code, answer["Location"]) == (302, "/api/docs/")


@pytest.mark.parametrize("query", ["version=%00", "version=1%0d%0aX", "version=1", "lang=en", "%00=1", "a=b&c=d"])
@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/vnd.oai.openapi"])
def test_the_document_refuses_parameters_it_does_not_know(query: str, accept: str) -> None:
    answer = Client().get(f"/api/schema/?{query}", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["errors"][0]["message"] == "is not a parameter of this path"
    assert not answer.has_header("Content-Disposition")


def test_the_document_is_served_in_both_formats(document: dict[str, Any]) -> None:
    as_json, as_yaml = Client().get("/api/schema/?format=json"), Client().get("/api/schema/?format=yaml")
    assert as_json.json() == document
    assert as_yaml.content.startswith(b"openapi: 3.1.0")
    assert Client().get("/api/docs/").status_code == 200
    nothing = Client().get("/api/schema/", headers={"Accept": "text/csv"})
    assert (nothing.status_code, nothing.json()["type"]) == (406, "/problems/not-acceptable/")
