"""Hostile values in every field of every operation: one clear error, and nothing of it is stored."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.services.attack.operations import Operation, operations
from tests.compliance.test_attack_isolation import connect
from tests.conftest import Caller, login

WRITING = [operation for operation in operations(connect("")) if operation.example is not None]
COUNTED = [
    model._meta.db_table
    for room in ("tenants", "memories")
    for model in apps.get_app_config(room).get_models()
    if model.__name__ != "Event"  # a refusal is on the record
]
DEEP = "[" * 5_000 + "]" * 5_000
RAW = [
    b"", b"null", b"[]", b"1", b'"text"', b"{", b"{}", b"\xff\xfe", b'{"content": "\xff"}',
    b'{"content": "\xc3\x28"}', b'{"content": "\\u0000"}', b'{"content": "\\ud800"}', b'{"a": 1, "a": 2}',
    b'{"content": NaN}', b'{"content": 1e999}', DEEP.encode(), b'{"content": ' + DEEP.encode() + b"}",
    b'{"' + b"k" * 100_000 + b'": 1}', b'{"": ""}', b'{"__proto__": {"x": 1}}', b"\x00" * 100,
    b'{"content": ' + b"9" * 5_000 + b"}", '{"content": "\u2028"}'.encode("utf-16"),
]  # fmt: skip
DATES = [
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "99999-01-01T00:00:00Z",
    "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00", "2026-01-01",
    "yesterday", "-0044-03-15T00:00:00Z", "2026-01-01T00:00:00+99:99", 1767225600, 1767225600000, -1,
]  # fmt: skip
WORDS = [
    "", " ", "\t", "\x00", "a\x00b", "\x1b[2J", "\u202e", "\ud800", "\U0010ffff", "a" * 300, "a" * 40_000,
    "' OR 1=1 --", "%s %(x)s", "_%\\", "../../etc/passwd", "${jndi:ldap://x}", "<script>", "*", "null", "none", "or",
    "AND", "_", "a-b", "e\u0301", "😀" * 64,
]  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        [None, True, False, 0, -1, 1.5, 1e308, 10**30, -(10**30), [], {}, [[]], [None], {"a": {}}, *WORDS, *DATES]
    ),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=50),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
        max_leaves=12,
    ),
)
IDENTITY = [
    "tenant_id",
    "tenant",
    "subject_id",
    "user_id",
    "key_id",
    "role",
    "is_admin",
    "compartments",
    "_id",
    "_index",
]
ALL = list(HealthCheck)


def rows() -> dict[str, int]:
    """Return how many rows each table holds, seen past every wall."""
    with login("mneme_owner"), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in COUNTED))
        return dict(cursor.fetchall())


def places(body: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a body."""
    items = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in items:
        yield (*prefix, key)
        yield from places(value, (*prefix, key))


def put(body: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of a body with one value replaced."""
    copy = json.loads(json.dumps(body))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return copy


def checked(caller: Caller, operation: Operation, content: bytes, **headers: str) -> None:
    before = rows()
    path = operation.path
    for slot in operation.slots:
        path = path.replace("{" + slot.name + "}", "00000000-0000-7000-8000-000000000000")
    with connect(caller.secret) as client:
        answer = client.request(
            operation.method, path, content=content, headers={"Content-Type": "application/json", **headers}
        )
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        problem = answer.json()
        assert problem["detail"], problem
        assert problem["errors"] or problem["type"] != "/problems/invalid/", (
            problem
        )  # unreadable: no field is at fault
        assert all(fault["field"] is not None and fault["message"] for fault in problem["errors"]), problem
        assert rows() == before


@pytest.mark.parametrize("operation", WRITING, ids=str)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=ALL)
@given(data=st.data())
def test_a_hostile_value_in_any_field(acme: Caller, operation: Operation, data: st.DataObject) -> None:
    body = dict(operation.example or {})
    for slot in operation.slots:
        if slot.where == "body" and "." not in slot.name and "[]" not in slot.name:
            body.setdefault(slot.name, "x")
    body.setdefault("metadata", {"a": 1})
    place = data.draw(st.sampled_from([*places(body), *((name,) for name in IDENTITY)]))
    hostile = put(body, place, data.draw(VALUES))
    checked(acme, operation, json.dumps(hostile).encode())


@pytest.mark.parametrize("operation", WRITING, ids=str)
def test_a_body_that_is_no_request(acme: Caller, operation: Operation) -> None:
    for content in RAW:
        checked(acme, operation, content)
    checked(acme, operation, b"{}", **{"Content-Type": "text/plain"})
    checked(acme, operation, b"{}", **{"Content-Type": "application/json; charset=utf-7"})
    checked(acme, operation, b"a=1", **{"Content-Type": "application/x-www-form-urlencoded"})
    for key in ("\x01", " ", "k" * 300, "%00", '"', "W/*"):
        checked(acme, operation, b"{}", **{"Idempotency-Key": key, "If-Match": key})


@pytest.mark.parametrize("key", IDENTITY)
def test_an_identity_inside_metadata_stays_metadata(acme: Caller, globex: Caller, key: str) -> None:
    """Metadata is the caller's; whatever it says, the row is the key's tenant's and the named user's."""
    planted = str(globex.key.tenant_id)
    answer = acme.client.post(
        "/api/v1/turns/",
        {"user_id": "u1", "session_id": "s", "content": "the otter", "metadata": {key: planted}},
        format="json",
    )
    assert answer.status_code in (201, 400)
    if answer.status_code == 201:
        assert [hit["user_id"] for hit in acme.recall("otter")["results"]] == ["u1"]
    assert globex.recall("otter")["results"] == []
