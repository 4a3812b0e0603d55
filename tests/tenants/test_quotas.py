"""Quotas: exact over threads and processes, per key, and open while nobody counts."""

import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from memories.models import Turn
from memory_site.stack.stack import Stack
from memory_site.stack.valkey import Valkey
from tenants.models import Event
from tenants.scope import Quotas
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.verify_chain import verify_chain
from tests.conftest import Caller, client_with, login


def limited(caller: Caller, **quotas: int) -> Any:
    """Return a client whose key has these quotas."""
    return client_with(issue_key(caller.system, name="limited", quotas=Quotas(**quotas), now=timezone.now()).secret)


def site_events(*kinds: str) -> list[Event]:
    with login("mneme_worker"), open_operator():
        return list(Event.objects.filter(tenant_id=None, kind__in=kinds).order_by("at"))


def test_fifty_at_once_against_ten_are_ten(acme: Caller, valkey: Valkey) -> None:
    client = limited(acme, requests_a_minute=10)

    def ask(_: int) -> int:
        try:
            return int(client.get("/api/v1/keys/me/").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        assert Counter(pool.map(ask, range(50))) == {200: 10, 429: 40}
    refused = client.get("/api/v1/keys/me/")
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["type"] == "/problems/quota-spent/"
    assert "requests_a_minute is 10" in refused.json()["detail"]
    assert 0 < int(refused["Retry-After"]) <= 60
    assert acme.client.get("/api/v1/keys/me/").status_code == 200, "another key of the tenant has a quota of its own"
    with open_scope(acme.system):
        noted = list(Event.objects.filter(kind="quota.spent").values_list("data", flat=True))
    assert [one["attempts"] for one in noted] == [1, 10]
    assert noted[0]["reason"] == "requests_a_minute"
    assert noted[0]["asked"] == "GET api/v1/keys/me/"


def test_turns_count_one_by_one_and_a_batch_is_taken_whole_or_not(acme: Caller, valkey: Valkey) -> None:
    client = limited(acme, turns_a_day=5)

    def batch(count: int, **more: str) -> Any:
        turns = [{"session_id": "s", "content": f"turn {number}"} for number in range(count)]
        return client.post("/api/v1/turns/batch/", {"turns": turns}, format="json", **more)

    too_many = batch(6)
    assert too_many.status_code == 429
    assert "This request alone needs 6" in too_many.json()["detail"]
    assert batch(4, HTTP_IDEMPOTENCY_KEY="once").status_code == 201
    assert batch(4, HTTP_IDEMPOTENCY_KEY="once").status_code == 429, "it would be five more"
    assert batch(2).status_code == 429
    wrong = client.post("/api/v1/turns/", {"session_id": "s", "content": ""}, format="json")
    assert wrong.status_code == 400
    one = {"session_id": "s", "content": "the fifth"}
    assert client.post("/api/v1/turns/", one, format="json", HTTP_IDEMPOTENCY_KEY="five").status_code == 201
    full = client.post("/api/v1/turns/", one, format="json")
    assert full.status_code == 429
    assert 3600 < int(full["Retry-After"]) <= 86_400
    with open_scope(acme.system):
        assert Turn.objects.count() == 5


def test_a_repeated_or_failed_turn_is_given_back(acme: Caller, valkey: Valkey) -> None:
    client = limited(acme, turns_a_day=2)
    body = {"session_id": "s", "content": "once"}
    for _ in range(6):
        answer = client.post("/api/v1/turns/", body, format="json", HTTP_IDEMPOTENCY_KEY="once")
        assert answer.status_code == 201
    for _ in range(3):
        reused = client.post("/api/v1/turns/", {**body, "content": "x"}, format="json", HTTP_IDEMPOTENCY_KEY="once")
        assert reused.status_code == 409
    assert client.post("/api/v1/turns/", body, format="json").status_code == 201
    assert client.post("/api/v1/turns/", body, format="json").status_code == 429


def test_recalls_have_a_quota_of_their_own(acme: Caller, valkey: Valkey) -> None:
    client = limited(acme, recalls_a_minute=2)
    answers = [client.post("/api/v1/recall/", {"query": "otter"}, format="json").status_code for _ in range(4)]
    assert answers == [200, 200, 429, 429]
    assert client.get("/api/v1/keys/me/").status_code == 200


def test_null_is_the_sites_setting_and_zero_is_none(acme: Caller, valkey: Valkey, settings: Any) -> None:
    settings.QUOTA_REQUESTS_A_MINUTE = 3
    free = limited(acme, requests_a_minute=0)
    assert [acme.client.get("/api/v1/keys/me/").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert {free.get("/api/v1/keys/me/").status_code for _ in range(8)} == {200}


def test_without_valkey_everything_passes_and_an_alarm_says_so(
    acme: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    client = limited(acme, requests_a_minute=1, recalls_a_minute=1)
    for _ in range(3):
        assert client.get("/api/v1/keys/me/").status_code == 200
        assert client.post("/api/v1/recall/", {"query": "otter"}, format="json").status_code == 200
    with login("mneme_worker"):
        call_command("seal_events", once=True)
        assert verify_chain(None).faults == ()
    seen = [record for record in caplog.records if "quotas do not hold" in record.getMessage()]
    assert len(seen) == len(site_events("quota.unavailable"))


def test_a_valkey_that_hangs_costs_one_request_a_moment_and_none_a_failure(acme: Caller, valkey: Valkey) -> None:
    assert valkey.process is not None
    client = limited(acme, requests_a_minute=1000)
    assert client.get("/api/v1/keys/me/").status_code == 200
    os.kill(valkey.process.pid, signal.SIGSTOP)
    try:
        start = time.monotonic()
        assert {client.get("/api/v1/keys/me/").status_code for _ in range(10)} == {200}
        assert time.monotonic() - start < 8  # far below a client of its own patience
    finally:
        os.kill(valkey.process.pid, signal.SIGCONT)


def test_guessing_is_slowed_down_by_address_and_a_live_key_passes(
    acme: Caller, valkey: Valkey, settings: Any
) -> None:
    settings.REFUSED_KEYS_A_MINUTE = 5
    guesses = [client_with(f"mneme_{number:012x}_{'x' * 43}") for number in range(30)]
    answers = [guess.get("/api/v1/keys/me/") for guess in guesses]
    assert Counter(answer.status_code for answer in answers) == {401: 5, 429: 25}
    assert answers[-1].json()["type"] == "/problems/too-many-refused/"
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert acme.client.get("/api/v1/keys/me/").status_code == 200
    elsewhere = client_with("mneme_000000000000_" + "x" * 43).get("/api/v1/keys/me/", REMOTE_ADDR="10.0.0.9")
    assert elsewhere.status_code == 401


def test_two_processes_of_the_web_count_together(tmp_path: Path) -> None:
    with Stack(tmp_path / "var", web_workers=2, worker_processes=1) as stack:
        stack.create_tenant("acme")
        secret = stack.manage("issue_key", "acme", "--requests-a-minute", "10").split()[-1]
        with httpx.Client(base_url=stack.url, headers={"Authorization": f"Bearer {secret}"}, timeout=30) as client:

            def ask(_: int) -> int:
                return client.get("/api/v1/keys/me/", headers={"Connection": "close"}).status_code

            with ThreadPoolExecutor(25) as pool:
                assert Counter(pool.map(ask, range(50))) == {200: 10, 429: 40}
