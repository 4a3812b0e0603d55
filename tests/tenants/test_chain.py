"""The chain of events: one bit, one row or the tail changed by a superuser, and both verifiers find it."""

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
from django.utils import timezone

from tenants.chain import GENESIS
from tenants.models import ChainHead, Event
from tenants.services.export_chain import export_chain
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.seal_events import seal_events
from tenants.services.signed_heads import read_heads, sign_heads
from tenants.services.signing import BadSignature
from tenants.services.verify_chain import verify_chain
from tests.conftest import Caller, login
from tests.plugin import DATABASE

TOOL = Path(__file__).parents[2] / "tools" / "verify_audit.py"


def fill(caller: Caller, count: int = 6) -> None:
    """Write events by the API and beside it, and seal them in two goes."""
    caller.turn("the otter is called Bramble")
    caller.recall("otter")
    for part in range(2):
        with open_scope(caller.scope):
            for number in range(count // 2):
                note_event(caller.scope, "test.noted", data={"n": number, "words": ["ä", "中"]}, now=timezone.now())
        with login("mneme_worker"):
            while seal_events(now=timezone.now(), limit=3 + part):
                pass


@pytest.fixture
def superuser(superuser_dsn: str, record: None) -> Iterator[psycopg.Connection[Any]]:
    """Connect as a superuser, for whom no trigger stands."""
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


def found_by_the_site(caller: Caller) -> set[str]:
    with login("mneme_worker"):
        return {fault.code for fault in verify_chain(caller.key.tenant_id).faults}


def found_offline(caller: Caller, folder: Path, *more: str) -> tuple[int, str]:
    export = folder / "export.jsonl"
    with login("mneme_worker"):
        export.write_text("".join(f"{line}\n" for line in export_chain(caller.key.tenant_id)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(TOOL), str(export), *more], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_an_untouched_chain_verifies_here_and_offline(acme: Caller, globex: Caller, tmp_path: Path) -> None:
    fill(acme)
    fill(globex)
    assert found_by_the_site(acme) == set()
    code, words = found_offline(acme, tmp_path)
    assert (code, words) == (0, "ok: 10 events, 0 faults, 0 signed heads\n")
    with open_scope(acme.scope):
        first = Event.objects.get(seq=1)
        assert bytes(first.prev_hash or b"") == GENESIS
        assert {bytes(one.hash or b"") for one in Event.objects.all()} != {b""}


DAMAGE = {
    "a number": "UPDATE tenants_event SET data = jsonb_set(data, '{results}', '7') WHERE kind = 'recall.answered'",
    "a time": "UPDATE tenants_event SET at = at + interval '1 microsecond' WHERE seq = 4",
    "a key id": "UPDATE tenants_event SET key_id = gen_random_uuid() WHERE seq = 2",
    "a hash": "UPDATE tenants_event SET hash = sha256(hash) WHERE seq = 5",
    "a row removed": "DELETE FROM tenants_event WHERE seq = 3",
    "a row inserted": "INSERT INTO tenants_event SELECT (jsonb_populate_record(e, jsonb_build_object('id',"
    " gen_random_uuid(), 'seq', 11))).* FROM tenants_event e WHERE e.seq = 10",
    "the tail cut": "DELETE FROM tenants_event WHERE seq > 8",
    "two rows swapped": "UPDATE tenants_event SET seq = CASE seq WHEN 3 THEN -4 ELSE -3 END WHERE seq IN (3, 4);"
    " UPDATE tenants_event SET seq = -seq WHERE seq < 0",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_by_a_superuser_is_found_by_both(
    acme: Caller, superuser: psycopg.Connection[Any], tmp_path: Path, what: str
) -> None:
    fill(acme)
    done = superuser.execute(DAMAGE[what])
    assert done.rowcount
    assert found_by_the_site(acme)
    code, words = found_offline(acme, tmp_path)
    assert code == 1, words


def test_a_tail_cut_with_its_head_is_found_by_what_was_signed_before(
    acme: Caller, superuser: psycopg.Connection[Any], tmp_path: Path
) -> None:
    fill(acme)
    key, heads = secrets.token_bytes(32), tmp_path / "elsewhere" / "heads.jsonl"
    with login("mneme_worker"):
        assert sign_heads(heads, key=key, now=timezone.now()) >= 1
    superuser.execute("DELETE FROM tenants_event WHERE seq > 8")
    superuser.execute("UPDATE tenants_chainhead SET seq = 8, hash = (SELECT hash FROM tenants_event WHERE seq = 8)")
    assert found_by_the_site(acme) == set()
    signed = read_heads(heads.read_text().splitlines())
    with login("mneme_worker"):
        faults = verify_chain(acme.key.tenant_id, signed=signed[acme.key.tenant_id]).faults
    assert {fault.code for fault in faults} == {"tail_cut"}
    assert found_offline(acme, tmp_path)[0] == 0
    assert found_offline(acme, tmp_path, "--heads", str(heads))[0] == 1


def test_a_forged_line_of_heads_is_refused(acme: Caller, tmp_path: Path) -> None:
    fill(acme)
    file = tmp_path / "heads.jsonl"
    with login("mneme_worker"):
        sign_heads(file, key=secrets.token_bytes(32), now=timezone.now())
    line = json.loads(file.read_text())
    assert read_heads([json.dumps(line)], public=[line["key"]])
    line["heads"][0]["seq"] += 1
    with pytest.raises(BadSignature):
        read_heads([json.dumps(line)])
    with pytest.raises(BadSignature):
        read_heads([file.read_text()], public=[base64.b64encode(secrets.token_bytes(32)).decode()])
    file.write_text(json.dumps(line))
    assert found_offline(acme, tmp_path, "--heads", str(file))[0] == 2


def test_the_commands_say_what_they_found(
    acme: Caller, superuser: psycopg.Connection[Any], tmp_path: Path, settings: Any
) -> None:
    fill(acme)
    settings.AUDIT_KEY = base64.b64encode(secrets.token_bytes(32)).decode()
    settings.AUDIT_HEADS_FILE = str(tmp_path / "heads.jsonl")
    export, out = tmp_path / "acme.jsonl", StringIO()
    with login("mneme_worker"):
        call_command("sign_heads", stdout=out)
        call_command("verify_audit", stdout=out, heads=tmp_path / "heads.jsonl")
        call_command("export_audit", "acme", out=export, stdout=out)
    assert f"{acme.key.tenant_id}: 10 events, 0 faults" in out.getvalue()
    assert len(export.read_text().splitlines()) == 11
    superuser.execute("UPDATE tenants_event SET purpose = 'other' WHERE seq = 6")
    with login("mneme_worker"), pytest.raises(CommandError, match="1 of the chains"):
        call_command("verify_audit", stdout=out, tenant="acme")
    assert f"{acme.key.tenant_id} event 6: changed" in out.getvalue()


def test_a_head_never_goes_back(acme: Caller) -> None:
    fill(acme)
    from django.db import DatabaseError

    with login("mneme_worker"):
        with pytest.raises(DatabaseError, match="never goes back"), open_operator():
            ChainHead.objects.update(seq=1)
        assert found_by_the_site(acme) == set()
