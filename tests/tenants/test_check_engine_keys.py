"""The engine's own list of credentials, compared with ours: strays, dead keys, other rights, lost ones."""

import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone
from elasticsearch import Elasticsearch

from backends.search import names
from memories.documents.registry import definitions
from memories.services.engine import search_engine
from tenants.models import ApiKey, Event
from tenants.services.authenticate import scope_of
from tenants.services.check_engine_keys import check_engine_keys
from tenants.services.engine_credential import engine_credential, reach_of
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_operator
from tenants.services.revoke_dead import revoke_dead
from tests.conftest import Caller, elasticsearch_url, login
from tests.plugin import DATABASE


@pytest.fixture(params=["postgres", pytest.param("elasticsearch", marks=pytest.mark.engines)])
def own_engine(request: pytest.FixtureRequest, record: None) -> Iterator[str]:
    """Run a test on each engine; on Elasticsearch as a user of its own, whose keys are all of this test."""
    before = settings.SEARCH_URL
    if request.param == "postgres":
        yield request.param
        return
    url, user, password = urlsplit(elasticsearch_url()), f"check-{uuid4().hex[:8]}", secrets.token_hex(12)
    owner = Elasticsearch(elasticsearch_url())
    owner.security.put_user(username=user, password=password, roles=["superuser"], refresh="true")
    settings.SEARCH_URL = f"{url.scheme}://{user}:{password}@{url.hostname}:{url.port}"
    search_engine().ensure(definitions())
    yield request.param
    owner.security.invalidate_api_key(username=user)
    owner.security.delete_user(username=user)
    settings.SEARCH_URL = before


def codes(*, repair: bool = False, later: timedelta = timedelta(minutes=11)) -> dict[str, str]:
    with login("mneme_worker"):
        checked = check_engine_keys(search_engine(), repair=repair, now=timezone.now() + later)
    return {finding.engine_id: finding.code for finding in checked.found}


def site_events(kind: str) -> list[dict[str, Any]]:
    with login("mneme_worker"), open_operator():
        return list(
            Event.objects.filter(tenant_id=None, kind=kind).order_by("at", "id").values_list("data", flat=True)
        )


def test_all_is_well_with_what_is_in_use(acme: Caller, own_engine: str) -> None:
    acme.turn("the otter is called Bramble")
    assert acme.recall("otter")["results"]
    assert codes() == {}
    assert site_events("engine.keys_checked") == [{"engine": own_engine, "held": 1, "repaired": 0}]


def minted(caller: Caller, **fields: Any) -> tuple[ApiKey, str]:
    """Return a new key, and the engine's id of its credential."""
    key = issue_key(caller.system, name="x", now=timezone.now(), **fields).key
    return key, engine_credential(scope_of(key, request_id=""), search_engine(), now=timezone.now()).id


def spoilt(caller: Caller, superuser_dsn: str) -> tuple[dict[str, str], ApiKey]:
    """Bring about one of each fault; return the codes by the engine's id, and the key whose credential differs."""
    engine, ends_at = search_engine(), timezone.now() + timedelta(days=30)
    (revoked, dead), (expired, late), (wide, asked), (_, lost) = (minted(caller) for _ in range(4))
    stray, other = (
        engine.grant(reach, name=f"{names.CREDENTIAL_PREFIX}{uuid4()}:{uuid4()}", expires_at=ends_at).id
        for reach in (reach_of(caller.scope), replace(reach_of(caller.scope), kinds=(names.EPISODIC,)))
    )
    engine.revoke([lost, asked])
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
        superuser.execute("UPDATE tenants_apikey SET revoked_at = now() WHERE id = %s", [revoked.id])
        superuser.execute("UPDATE tenants_apikey SET expires_at = now() WHERE id = %s", [expired.id])
        superuser.execute("UPDATE tenants_enginecredential SET engine_id = %s WHERE engine_id = %s", [other, asked])
    return {dead: "dead", late: "dead", other: "differs", stray: "stray", lost: "lost"}, wide


def test_strays_dead_keys_and_other_rights_are_found_noted_and_revoked(
    acme: Caller, own_engine: str, superuser_dsn: str
) -> None:
    engine = search_engine()
    _, good = minted(acme, compartments=["doctor"])
    expected, differing = spoilt(acme, superuser_dsn)
    assert set(codes(later=timedelta(0)).values()) == {"dead", "differs"}, "what is young may be on its way"
    assert codes() == expected
    assert codes(repair=True) == expected
    assert codes() == {}
    assert {engine.reach_of(engine_id) for engine_id in expected} == {None}
    assert engine.reach_of(good) is not None
    assert {one["code"] for one in site_events("engine.key_found")} == set(expected.values())
    assert [one["repaired"] for one in site_events("engine.keys_checked")] == [0, 0, 5, 0]
    scope = scope_of(differing, request_id="")
    again = engine_credential(scope, engine, now=timezone.now())
    assert engine.reach_of(again.id) == reach_of(scope), "what is needed is minted anew"


def test_the_command_tells_and_repairs(acme: Caller, own_engine: str, superuser_dsn: str) -> None:
    expected, _ = spoilt(acme, superuser_dsn)
    (differs,) = (engine_id for engine_id, code in expected.items() if code == "differs")
    out = StringIO()
    with login("mneme_worker"):
        with pytest.raises(CommandError, match="3 faults are left"):
            call_command("check_engine_keys", stdout=out)
        call_command("check_engine_keys", repair=True, stdout=out)
        call_command("check_engine_keys", stdout=out)
    assert f"{own_engine} {differs}: differs" in out.getvalue()
    assert "nothing found; 0 repaired" in out.getvalue().splitlines()[-1]


def test_one_about_to_end_is_noted_and_kept(acme: Caller, own_engine: str) -> None:
    held = engine_credential(acme.scope, search_engine(), now=timezone.now())
    soon = timedelta(days=settings.ENGINE_CREDENTIAL_DAYS - 2)
    assert codes(later=soon) == {held.id: "ends_soon"}
    assert codes(repair=True, later=soon) == {held.id: "ends_soon"}
    assert search_engine().reach_of(held.id) is not None


def test_what_a_revocation_could_not_finish_is_finished(acme: Caller, own_engine: str, superuser_dsn: str) -> None:
    engine = search_engine()
    kept = issue_key(acme.system, name="kept", now=timezone.now())
    live = engine_credential(scope_of(kept.key, request_id=""), engine, now=timezone.now())
    held = engine_credential(acme.scope, engine, now=timezone.now())
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
        superuser.execute("UPDATE tenants_apikey SET revoked_at = now() WHERE id = %s", [acme.key.id])
    with login("mneme_worker"):
        assert revoke_dead(search_engine(), now=timezone.now()) == 1
        assert revoke_dead(search_engine(), now=timezone.now()) == 0
    assert engine.reach_of(held.id) is None
    assert engine.reach_of(live.id) is not None
