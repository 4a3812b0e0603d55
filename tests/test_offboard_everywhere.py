"""Offboarding a tenant on a whole running stack, with its worker and Valkey killed meanwhile: it is in no store."""

import json
import time
from pathlib import Path

import httpx
import pytest

from memory_site.stack.stack import Name, Search
from tests.site import WAIT_S, Site, running
from tests.test_erase_everywhere import in_postgres, in_valkey

CANARY = "zebrafinchcanary"
KEEP_ITS_ID = {"public.tenants_event", "public.tenants_chainhead", "public.tenants_offboarding"}


def is_in_no_store(site: Site, word: str, *, but: set[str] | None = None) -> None:
    """Look into every table and every key."""
    assert set(in_postgres(site.stack.superuser_dsn, word)) <= (but or set())
    assert in_valkey(site.stack.valkey.address, word) == []


@pytest.mark.parametrize("search", ["postgres", pytest.param("elasticsearch", marks=pytest.mark.engines)])
def test_a_tenant_is_in_no_store_after_its_offboarding_and_another_is(search: Search, tmp_path: Path) -> None:
    with running(search, tmp_path) as site:
        other = {"Authorization": f"Bearer {site.stack.create_tenant('globex')}"}
        turn = {"user_id": "u1", "session_id": f"s {CANARY}", "content": f"The password is {CANARY}"}
        kept = {**turn, "session_id": "s", "content": "The password is kept"}
        assert site.call("POST", "turns/", turn).status_code == 201
        assert httpx.post(f"{site.stack.url}/api/v1/turns/", json=kept, headers=other, timeout=30).status_code == 201
        assert site.call("POST", "recall/", {"user_id": "u1", "query": CANARY}).json()["results"]
        site.wait_for_sync()
        assert in_postgres(site.stack.superuser_dsn, CANARY)
        site.stack.manage("offboard_tenant", "acme", "--confirm", "acme", "--grace-s", "1")
        assert site.call("GET", "keys/me/").status_code == 401
        killed: tuple[tuple[Name, ...], ...] = (("worker",), ("valkey",), ("worker", "beat"))
        for names in killed:
            time.sleep(1)
            with site.without(*names):
                time.sleep(1)
        deadline = time.monotonic() + WAIT_S
        while not (found := list((site.stack.root / "receipts").glob("acme-*.json"))):
            assert time.monotonic() < deadline
            time.sleep(0.3)
        receipt = json.loads(found[0].read_text())
        assert receipt["before"]["memories_turn"] == 1
        assert set(receipt["after"].values()) == {0}
        is_in_no_store(site, CANARY)
        for word in (receipt["tenant_id"], receipt["tenant_id"].replace("-", "")):
            is_in_no_store(site, word, but=KEEP_ITS_ID)
        asked = {"user_id": "u1", "query": "What is the password?"}
        answer = httpx.post(f"{site.stack.url}/api/v1/recall/", json=asked, headers=other, timeout=30).json()
        assert [hit["text"] for hit in answer["results"]] == ["The password is kept"]
        site.stack.manage("verify_audit")
