"""The site's own chain, and refusals on the tenants': who was not let in, noted so that nobody can fill the log."""

import base64
import json
import secrets
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from memories.services.engine import search_engine
from memories.tasks import sign_heads_task
from memory_site.stack.valkey import Valkey
from tenants.models import ChainHead, Event
from tenants.scope import Ability
from tenants.services.authenticate import scope_of
from tenants.services.issue_key import issue_key
from tenants.services.note_refusal import hashed_address, keyed_hash, note_refusal
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.revoke_key import revoke_key
from tenants.services.seal_events import seal_events
from tenants.services.verify_chain import verify_chain
from tests.conftest import Caller, client_with, login
from tests.plugin import DATABASE

TOOL = Path(__file__).parents[2] / "tools" / "verify_audit.py"
ME = "/api/v1/keys/me/"


def of_site(**filters: Any) -> list[Event]:
    with login("mneme_worker"), open_operator():
        return list(Event.objects.filter(tenant_id=None, **filters).order_by("at", "id"))


def of_tenant(caller: Caller, **filters: Any) -> list[Event]:
    with open_scope(caller.system):
        return list(Event.objects.filter(**filters).order_by("at", "id"))


def seal() -> None:
    with login("mneme_worker"):
        while seal_events(now=timezone.now()):
            pass


def test_a_dead_key_is_noted_on_its_tenants_chain_and_an_unknown_one_on_the_sites(
    acme: Caller, valkey: Valkey
) -> None:
    now = timezone.now()
    expired = issue_key(acme.system, name="e", expires_at=now, now=now)
    revoked = issue_key(acme.system, name="r", now=now)
    revoke_key(acme.system, revoked.key.id, engine=search_engine(), now=now)
    wrong = f"mneme_{acme.key.prefix}_{'x' * 43}"
    for secret in (expired.secret, revoked.secret, wrong, f"mneme_{'0' * 12}_{'x' * 43}", "nonsense"):
        for _ in range(3):
            assert client_with(secret).get(ME, REMOTE_ADDR="10.1.2.3").status_code == 401
    noted = of_tenant(acme, kind="key.refused")
    assert [(one.data["reason"], one.object_ids) for one in noted] == [
        ("expired", [expired.key.id]), ("revoked", [revoked.key.id]), ("wrong_secret", [acme.key.id]),
    ]  # fmt: skip
    unknown = of_site(kind="key.refused")
    assert [one.data["reason"] for one in unknown] == ["unknown", "malformed"]
    for one in (*noted, *unknown):
        assert one.data["from"] == hashed_address("10.1.2.3")
        assert "10.1.2.3" not in json.dumps(one.data)
    seal()
    with login("mneme_worker"):
        assert verify_chain(None).faults == verify_chain(acme.key.tenant_id).faults == ()


@pytest.mark.parametrize("counted", ["in Valkey", "here"])
def test_an_attacker_cannot_fill_the_log(acme: Caller, counted: str, request: pytest.FixtureRequest) -> None:
    if counted == "in Valkey":
        request.getfixturevalue("valkey")
    for number in range(1_200):
        client_with("nonsense").get(ME, REMOTE_ADDR=f"10.{number % 250}.{number // 250}.{counted == 'here'}"[:15])
    for _ in range(120):
        client_with("nonsense").get(ME, REMOTE_ADDR=f"192.168.7.{'1' if counted == 'here' else '2'}")
    noted = len(of_site(kind="key.refused"))
    assert 10 <= noted <= 25  # the process itself counts over all tests of the last minute
    acme.client.post("/api/v1/catalog/", {"documents": []}, format="json")
    assert of_tenant(acme, kind="access.refused"), "another chain's flood hides nothing of this one"


def test_what_a_key_may_not_do_is_noted_without_ids(acme: Caller, valkey: Valkey) -> None:
    reader = issue_key(acme.system, name="r", abilities=[Ability.MEMORIES_READ], now=timezone.now())
    client = client_with(reader.secret)
    for _ in range(11):
        assert client.delete(f"/api/v1/memories/{reader.key.id}/").status_code == 403
    noted = of_tenant(acme, kind="access.refused")
    assert [one.data for one in noted] == [
        {"reason": "denied", "asked": "DELETE api/v1/memories/<uuid:memory_id>/", "attempts": attempts}
        for attempts in (1, 10)
    ]
    assert {one.key_id for one in noted} == {reader.key.id}


def test_a_flood_by_one_key_or_by_strangers_hides_nothing_that_another_did(acme: Caller, valkey: Valkey) -> None:
    noisy, quiet = (
        issue_key(acme.system, name="r", abilities=[Ability.MEMORIES_READ], now=timezone.now()) for _ in range(2)
    )
    for number in range(40):
        stranger = client_with(f"{quiet.secret[:-4]}{number:04}")  # who knows a prefix writes on the tenant's chain
        stranger.get(ME, REMOTE_ADDR=f"10.9.8.{number}")
        client_with(f"mneme_{'0' * 12}_{'x' * 43}").get(ME, REMOTE_ADDR=f"10.9.7.{number}")
    for number in range(40):
        scope = scope_of(noisy.key, request_id="")
        note_refusal(scope, "access.refused", code="denied", what=f"GET {number}", now=timezone.now())
    assert len(of_tenant(acme, kind="key.refused")) == 20
    assert len(of_tenant(acme, kind="access.refused")) == 20
    client_with(quiet.secret).delete(f"/api/v1/memories/{quiet.key.id}/")
    assert quiet.key.id in {one.key_id for one in of_tenant(acme, kind="access.refused")}
    assert Client().post("/admin/login/", {"username": "alice", "password": "wrong"}).status_code == 200
    assert len(of_site(kind="staff.sign_in_failed")) == 1


def test_an_ipv6_address_stands_for_its_network(settings: Any) -> None:
    assert hashed_address("2001:db8:1:2::1") == hashed_address("2001:db8:1:2:ffff::9")
    assert hashed_address("2001:db8:1:2::1") != hashed_address("2001:db8:1:3::1")
    assert hashed_address("::ffff:10.0.0.1") == hashed_address("10.0.0.1") != hashed_address("10.0.0.2")
    before = keyed_hash("10.0.0.1")
    settings.SECRET_KEY = "another" * 10
    assert keyed_hash("10.0.0.1") != before


def test_the_site_notes_what_must_outlive_a_tenant(acme: Caller) -> None:
    (made,) = of_site(kind="tenant.created")
    assert made.object_ids == [acme.key.tenant_id]
    assert of_tenant(acme, kind="tenant.created")


def test_nobody_writes_to_the_sites_chain_from_inside_a_tenant(acme: Caller) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), open_scope(acme.scope):
        note_site_event("tenant.created", now=timezone.now())
    with pytest.raises(DatabaseError, match="row-level security"), open_scope(acme.scope):
        Event.objects.create(tenant_id=None, kind="forged.event", at=timezone.now(), actor="system")
    with pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("UPDATE tenants_event SET kind = 'x' WHERE tenant_id IS NULL")
    with open_scope(acme.scope):
        assert not Event.objects.filter(tenant_id=None).exists()


@pytest.fixture
def superuser(superuser_dsn: str, record: None) -> Iterator[psycopg.Connection[Any]]:
    """Connect as a superuser, for whom no trigger stands."""
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as held:
        held.execute("SET session_replication_role = replica")
        yield held


def verified(**options: Any) -> tuple[bool, str]:
    """Run verify_audit; return whether all agreed, and what it said."""
    out = StringIO()
    with login("mneme_worker"):
        try:
            call_command("verify_audit", stdout=out, **options)
        except CommandError as error:
            return False, out.getvalue() + str(error)
    return True, out.getvalue()


def test_beat_signs_heads_and_both_verifiers_find_a_cut_tail_by_them(
    acme: Caller, superuser: psycopg.Connection[Any], tmp_path: Path, settings: Any
) -> None:
    settings.AUDIT_KEY = base64.b64encode(secrets.token_bytes(32)).decode()
    settings.AUDIT_HEADS_FILE = str(tmp_path / "heads" / "heads.jsonl")
    assert "no signed heads" in verified()[1]
    acme.turn("the otter is called Bramble")
    with login("mneme_worker"):
        for _ in range(3):
            note_site_event("test.noted", now=timezone.now())
    seal()
    with login("mneme_worker"):
        sign_heads_task()
    seal()
    assert verified() == (True, verified()[1])
    assert "site:" in verified()[1]
    assert of_site(kind="heads.signed")[0].data == {"chains": 2}
    cut = "DELETE FROM tenants_event WHERE tenant_id IS NULL AND seq >= 2"
    mended = (
        "UPDATE tenants_chainhead SET seq = 1, hash = (SELECT hash FROM tenants_event WHERE tenant_id IS NULL)"
        " WHERE tenant_id IS NULL"
    )
    assert superuser.execute(cut).rowcount
    superuser.execute(mended)
    assert verified(no_heads=True)[0], "the chain alone cannot tell"
    agreed, said = verified()
    assert (agreed, "tail_cut" in said) == (False, True)
    export = tmp_path / "site.jsonl"
    with login("mneme_worker"):
        call_command("export_audit", "site", out=export)
    command = [sys.executable, "-I", str(TOOL), str(export)]
    for more, code in (([], 0), (["--heads", settings.AUDIT_HEADS_FILE], 1)):
        assert subprocess.run([*command, *more], capture_output=True, check=False).returncode == code


def test_heads_signed_by_somebody_else_are_refused(acme: Caller, tmp_path: Path, settings: Any) -> None:
    seal()
    settings.AUDIT_HEADS_FILE = str(tmp_path / "heads.jsonl")
    first, second = (base64.b64encode(secrets.token_bytes(32)).decode() for _ in range(2))
    settings.AUDIT_KEY = first
    with login("mneme_worker"):
        call_command("sign_heads", stdout=StringIO())
    public = json.loads(Path(settings.AUDIT_HEADS_FILE).read_text())["key"]
    settings.AUDIT_KEY = second
    agreed, said = verified()
    assert (agreed, "line 1 was signed with another key" in said) == (False, True)
    assert verified(public=[public])[0], "a key that was in use before is named"


def test_without_a_key_to_sign_with_beat_says_so(
    acme: Caller, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.AUDIT_KEY, settings.AUDIT_HEADS_FILE = "", str(tmp_path / "heads.jsonl")
    with login("mneme_worker"):
        sign_heads_task()
    assert "AUDIT_KEY" in caplog.text
    assert not Path(settings.AUDIT_HEADS_FILE).exists()


def test_the_sites_chain_is_found_out_when_a_row_is_changed(acme: Caller, superuser: psycopg.Connection[Any]) -> None:
    client_with("nonsense").get(ME)
    seal()
    assert verified(no_heads=True)[0]
    superuser.execute("UPDATE tenants_event SET data = '{}' WHERE tenant_id IS NULL AND kind = 'tenant.created'")
    agreed, said = verified(no_heads=True)
    assert (agreed, "site event 1: changed" in said) == (False, True)
    with login("mneme_worker"), open_operator():
        assert ChainHead.objects.filter(tenant_id=None).exists()
