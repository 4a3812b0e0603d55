"""A tenant goes: nothing is left in any table, engine or counter, another tenant is whole, a receipt is signed."""

import base64
import hashlib
import json
import os
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from memories.services.engine import search_engine
from memories.services.erase import erase_step, open_jobs
from memories.services.offboard import offboard
from memories.services.offboard_step import offboard_step
from memories.services.offboarding_receipt import write_receipts
from memory_site.stack.guardian import CHECKOUT
from memory_site.stack.valkey import Valkey
from tenants.models import Event, Offboarding
from tenants.scope import Ability
from tenants.services.create_tenant import create_tenant
from tenants.services.engine_credential import engine_credential
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator
from tenants.services.seal_events import seal_events
from tenants.services.signing import check_signed, public_part
from tenants.services.verify_chain import verify_chain
from tests.admin.walk import everything_of
from tests.conftest import Caller, client_with, login
from tests.memories.test_erase import CANARY, fill, rows_with
from tests.memories.test_idempotency import together
from tests.plugin import database_url

KEPT = {"public.tenants_event", "public.tenants_chainhead", "public.tenants_offboarding"}
"""Where the tenant's id alone may stand afterwards."""


@pytest.fixture
def audit_key(tmp_path: Path) -> Iterator[bytes]:
    """Give the site a key to sign with, and a folder for receipts."""
    key, before = secrets.token_bytes(32), (settings.AUDIT_KEY, settings.RECEIPTS_FOLDER)
    settings.AUDIT_KEY, settings.RECEIPTS_FOLDER = base64.b64encode(key).decode(), str(tmp_path / "receipts")
    yield key
    settings.AUDIT_KEY, settings.RECEIPTS_FOLDER = before


def fill_tenant(caller: Caller) -> None:
    """Write one of everything: of two users, of nobody, of the catalog."""
    for user_id in ("u1", "u2"):
        fill(caller, user_id)
    librarian = client_with(
        issue_key(caller.system, name="l", abilities=[Ability.CATALOG_WRITE], now=timezone.now()).secret
    )
    post = caller.client.post
    assert (
        post("/api/v1/turns/", {"session_id": "s", "content": f"shared {CANARY}"}, format="json").status_code == 201
    )
    assert post("/api/v1/memories/", {"text": f"shared {CANARY}"}, format="json").status_code == 201
    document = {"id": f"kb {CANARY}", "title": CANARY, "text": CANARY}
    assert librarian.post("/api/v1/catalog/", {"documents": [document]}, format="json").status_code == 200


def rows_of(dsn: str, caller: Caller) -> set[str]:
    """Return the tables where anything names the tenant, but for those that keep its id."""
    return set(rows_with(dsn, str(caller.key.tenant_id))) - KEPT


def kept_of(dsn: str, caller: Caller) -> dict[str, list[str]]:
    """Return all rows of a tenant but for its events, which are numbered with everybody's."""
    found = everything_of(dsn, caller.key.tenant_id)
    return {table: rows for table, rows in found.items() if f"public.{table}" not in KEPT}


def site_event(kind: str) -> Event:
    with login("mneme_worker"), open_operator():
        return Event.objects.get(tenant_id=None, kind=kind)


def test_nothing_is_left_but_the_chain_and_a_receipt(
    acme: Caller,
    globex: Caller,
    each_engine: str,
    drain: Callable[[], None],
    valkey: Valkey,
    audit_key: bytes,
    superuser_dsn: str,
) -> None:
    fill_tenant(acme)
    fill(globex, "u1")
    drain()
    assert acme.recall(CANARY, user_id="u1")["results"]
    held = engine_credential(acme.scope, search_engine(), now=timezone.now())
    globex_before = kept_of(superuser_dsn, globex)
    assert acme.client.post("/api/v1/catalog/", {"documents": []}, format="json").status_code == 403
    out = StringIO()
    with login("mneme_worker"):
        call_command("offboard_tenant", "acme", confirm="acme", wait=True, grace_s=0, stdout=out)
    # Nothing in any table, engine or Valkey.
    assert rows_of(superuser_dsn, acme) == set()
    assert set(rows_with(superuser_dsn, "acme")) == set()
    engine = search_engine()
    with login("mneme_worker"):
        assert search_engine().count_of_tenant(acme.key.tenant_id) == 0
    assert engine.reach_of(held.id) is None
    with redis.Redis.from_url(valkey.address) as client:
        keys = list(client.scan_iter())
        assert not [key for key in keys if str(acme.key.tenant_id) in str(key)]
        assert not [key for key in keys if str(acme.key.id) in str(key) or acme.key.tenant_id.hex in str(key)]
        assert [key for key in keys if str(globex.key.id) in str(key)]
    assert acme.client.get("/api/v1/keys/me/").status_code == 401
    # The other tenant, with the same ids, is whole.
    assert kept_of(superuser_dsn, globex) == globex_before
    assert {hit["user_id"] for hit in globex.recall(CANARY, user_id="u1")["results"]} == {"u1"}
    check_receipt(out.getvalue(), acme, audit_key, engine.name)


def check_receipt(said: str, caller: Caller, key: bytes, engine: str) -> None:
    """Look at the file, the site's chain and the tenant's."""
    file = Path(said.rpartition("Receipt: ")[2].strip())
    assert file.name == f"acme-{caller.key.tenant_id}.json"
    receipt = json.loads(file.read_text())
    body = check_signed(receipt, public=[public_part(key)])
    assert json.loads(site_event("tenant.offboarded").data["receipt"]) == receipt
    assert body["slug_sha256"] == hashlib.sha256(b"acme").hexdigest()
    before, after = body["before"], body["after"]
    assert before.keys() == after.keys()
    assert set(after.values()) == {0}
    assert before[f"engine {engine}"] >= 12
    assert before["memories_turn"] == 3
    assert before["tenants_subject"] == 2
    assert {"memories_memory", "memories_idempotencykey", "tenants_job", "tenants_keytemplate"} <= before.keys()
    assert body["revoked"]["api_keys"] == 2
    assert body["revoked"]["engine_credentials"] >= 1
    with login("mneme_worker"):
        seal_events(now=timezone.now())
        verdict = verify_chain(caller.key.tenant_id)
        assert (verdict.faults, verdict.events) == ((), body["chain"]["seq"])
        assert verify_chain(None).faults == ()
        with open_operator():
            last = Event.objects.get(tenant_id=caller.key.tenant_id, seq=body["chain"]["seq"])
            assert (last.kind, bytes(last.hash or b"").hex()) == ("tenant.offboarded", body["chain"]["hash"])
            assert Offboarding.objects.get().slug == ""


def test_the_name_is_free_again_for_somebody_who_inherits_nothing(
    acme: Caller, drain: Callable[[], None], valkey: Valkey, audit_key: bytes
) -> None:
    fill(acme, "u1")
    drain()
    with login("mneme_worker"):
        call_command("offboard_tenant", "acme", confirm="acme", wait=True, grace_s=0, stdout=StringIO())
        secret = create_tenant(slug="acme", name="Acme", now=timezone.now()).secret
    client = client_with(secret)
    assert client.get("/api/v1/subjects/").json()["results"] == []
    assert client.post("/api/v1/recall/", {"query": CANARY}, format="json").json()["results"] == []


def test_it_refuses_what_it_could_not_prove_or_was_not_confirmed(acme: Caller, audit_key: bytes) -> None:
    with login("mneme_worker"):
        for slug, confirm, said in (("acme", "globex", "--confirm acme"), ("nobody", "nobody", "no tenant nobody")):
            with pytest.raises(CommandError, match=said):
                call_command("offboard_tenant", slug, confirm=confirm)
        settings.AUDIT_KEY = ""
        with pytest.raises(CommandError, match="AUDIT_KEY"):
            call_command("offboard_tenant", "acme", confirm="acme")
    assert acme.client.get("/api/v1/keys/me/").status_code == 200


def test_keys_end_at_once_and_rows_go_when_requests_under_way_have_ended(
    acme: Caller, drain: Callable[[], None], valkey: Valkey, audit_key: bytes, superuser_dsn: str
) -> None:
    fill(acme, "u1")
    now = timezone.now()
    with login("mneme_worker"):
        job = offboard("acme", engine=search_engine(), now=now)
        assert offboard("acme", engine=search_engine(), now=now).id == job.id
        assert acme.client.get("/api/v1/keys/me/").status_code == 401
        assert offboard_step(job.id, engine=search_engine(), now=now + timedelta(seconds=20)).step == "rows"
        assert rows_of(superuser_dsn, acme)
        with pytest.raises(CommandError, match="nothing brings it back"):
            call_command("resume_tenant", "acme")
        # An erasure that had begun before does no harm, and ends with the tenant.
        for job_id in open_jobs():
            erase_step(job_id, engine=search_engine(), now=now)
        later = now + timedelta(minutes=1)
        for _ in range(20):
            job = offboard_step(job.id, engine=search_engine(), now=later)
            if job.step == "done":
                break
            drain()
        assert job.step == "done", job.message
        (file,) = write_receipts(Path(settings.RECEIPTS_FOLDER))
        assert write_receipts(Path(settings.RECEIPTS_FOLDER)) == []
        assert json.loads(file.read_text()) == json.loads(job.receipt)


def test_a_receipt_is_refused_while_anything_is_left(
    acme: Caller, valkey: Valkey, audit_key: bytes, superuser_dsn: str
) -> None:
    from memories.services.offboarding_receipt import StillThere, receipt_of

    fill(acme, "u1")
    with login("mneme_worker"):
        job = offboard("acme", engine=search_engine(), now=timezone.now())
        with pytest.raises(StillThere, match="memories_memory"):
            receipt_of(job, search_engine(), now=timezone.now())


def test_it_goes_on_after_kill_9_at_any_moment(
    acme: Caller, globex: Caller, drain: Callable[[], None], valkey: Valkey, audit_key: bytes, superuser_dsn: str
) -> None:
    fill_tenant(acme)
    fill(globex, "u1")
    for number in range(40):
        acme.turn(f"turn {number} {CANARY}", user_id=f"user {number}")
    drain()
    globex_before = kept_of(superuser_dsn, globex)
    chance, kills = random.Random(7), 0  # noqa: S311 - moments to kill at
    for attempt in range(40):
        with subprocess.Popen(**offboarding()) as process:
            try:
                process.wait(timeout=chance.uniform(1.0, 3.5) if attempt < 30 else 120)
                break
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
    assert kills >= 1
    with login("mneme_worker"):
        write_receipts(Path(settings.RECEIPTS_FOLDER))
    assert rows_of(superuser_dsn, acme) == set()
    assert kept_of(superuser_dsn, globex) == globex_before
    (file,) = Path(settings.RECEIPTS_FOLDER).glob("acme-*.json")
    body = check_signed(json.loads(file.read_text()), public=[public_part(audit_key)])
    assert body["before"]["tenants_subject"] == 42
    assert set(body["after"].values()) == {0}
    assert site_event("tenant.offboarded").object_ids[0] == acme.key.tenant_id


def offboarding() -> dict[str, Any]:
    """Return how to run the command as a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key != "SEARCH_URL"}
    return {
        "args": [
            sys.executable,
            "manage.py",
            "offboard_tenant",
            "acme",
            "--confirm",
            "acme",
            "--wait",
            "--grace-s",
            "0",
        ],
        "cwd": CHECKOUT,
        "env": {
            **environment,
            "DATABASE_URL": database_url("mneme_worker"),
            "REDIS_URL": settings.REDIS_URL,
            "AUDIT_KEY": settings.AUDIT_KEY,
            "RECEIPTS_FOLDER": settings.RECEIPTS_FOLDER,
        },
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }


def test_two_who_begin_at_once_begin_one_offboarding(acme: Caller, audit_key: bytes) -> None:
    def begin(_: int) -> Offboarding:
        return offboard("acme", engine=search_engine(), now=timezone.now())

    with login("mneme_worker"):
        jobs = together(4, begin)
    assert len({job.id for job in jobs}) == 1
    site_event("tenant.offboarding_begun")
