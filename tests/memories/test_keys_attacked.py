"""`keys/` in hostile hands: a revoked key in its last request, a template that shows what its writer may not see."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from tenants.services.rotate_key import KeyNotLive, replace_key
from tests.conftest import Caller, client_with
from tests.memories.test_idempotency import together
from tests.memories.test_keys_api import ALL, KEYS, issue, manager, works
from tests.plugin import DATABASE

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'mneme_web' AND wait_event_type = 'Lock'"


def _when_waiting(superuser_dsn: str) -> None:
    """Return once a request waits for a row."""
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as watcher:
        deadline = time.monotonic() + 4
        while time.monotonic() < deadline:
            if watcher.execute(_WAITING).fetchone() != (0,):
                return
            time.sleep(0.02)


@pytest.mark.parametrize("what", ["issue", "rotate", "template"])
def test_a_key_gives_nothing_more_once_it_is_being_revoked(acme: Caller, superuser_dsn: str, what: str) -> None:
    other = issue(manager(acme), abilities=["memories:read"])
    thief = issue(manager(acme), abilities=[str(ability) for ability in ALL])
    client = client_with(thief["secret"])
    client.get(f"{KEYS}me/")
    requests: dict[str, tuple[str, str, dict[str, Any]]] = {
        "issue": ("post", KEYS, {"name": "kept for later"}),
        "rotate": ("post", f"{KEYS}{other['key_id']}/rotate/", {}),
        "template": ("put", f"{KEYS}templates/trap/", {"abilities": ["memories:read"]}),
    }

    def ask() -> Any:
        method, path, body = requests[what]
        try:
            return getattr(client, method)(path, body, format="json")
        finally:
            connection.close()

    before = manager(acme).get(f"{KEYS}?limit=200").json()["results"]
    with ThreadPoolExecutor(1) as pool, psycopg.connect(superuser_dsn, dbname=DATABASE) as owner:
        owner.execute("UPDATE tenants_apikey SET revoked_at = now() WHERE id = %s", [thief["key_id"]])
        answer = pool.submit(ask)  # admitted: the revocation is not committed yet
        _when_waiting(superuser_dsn)
        owner.commit()
        refused = answer.result()
    assert refused.status_code == 403, refused.content
    assert "revoked" in refused.json()["detail"]
    after = manager(acme).get(f"{KEYS}?limit=200").json()["results"]
    assert len(after) == len(before) + 1  # the second manager
    assert works(other["secret"])
    assert manager(acme).get(f"{KEYS}templates/trap/").status_code == 404


def test_keys_that_rotate_each_other_never_wait_in_a_circle(acme: Caller) -> None:
    pair = [issue(manager(acme), abilities=[str(ability) for ability in ALL]) for _ in range(2)]

    def rotate(number: int) -> Any:
        own, other = pair[number % 2], pair[1 - number % 2]
        path = f"{KEYS}{other['key_id']}/rotate/"
        return client_with(own["secret"]).post(path, {"overlap_s": 3600}, format="json").status_code

    assert set(together(12, rotate)) == {201}


def test_a_template_hides_what_is_hidden_from_who_writes_it(acme: Caller) -> None:
    fact = {"user_id": "u1", "text": "Ada takes ramipril", "sensitive_notes": "zebrafinch"}
    written = manager(acme).post("/api/v1/memories/", fact, format="json").json()
    half_blind = manager(acme, hidden_fields=["sensitive_notes"])
    body = {"abilities": ["memories:read"], "compartments": ["patient"], "hidden_fields": ["tags"]}
    put = half_blind.put(f"{KEYS}templates/healthcare-patient/", body, format="json")
    assert put.json()["hidden_fields"] == ["tags", "sensitive_notes"]
    # Issued by somebody to whom nothing is hidden.
    made = issue(manager(acme), template="healthcare-patient")
    seen = client_with(made["secret"]).get(f"/api/v1/memories/{written['id']}/")
    assert seen.status_code == 200
    assert "zebrafinch" not in seen.content.decode()


def test_a_key_that_is_rotated_by_many_at_once_has_one_successor(acme: Caller) -> None:
    client = manager(acme)
    for _ in range(3):
        old = issue(client, abilities=["memories:read"])
        path = f"{KEYS}{old['key_id']}/rotate/"

        def rotate(_: int, path: str = path) -> Any:
            return client.post(path, {"overlap_s": 0}, format="json")

        answers = together(20, rotate)
        assert sorted(answer.status_code for answer in answers) == [201, *[409] * 19]
        assert not works(old["secret"])


def test_a_rotation_that_began_earlier_and_comes_later_finds_the_key_ended(acme: Caller) -> None:
    old = issue(manager(acme), abilities=["memories:read"])["key_id"]
    earlier = timezone.now()
    replace_key(acme.system, UUID(old), overlap=timedelta(0), now=timezone.now())
    with pytest.raises(KeyNotLive):
        replace_key(acme.system, UUID(old), overlap=timedelta(0), now=earlier)
