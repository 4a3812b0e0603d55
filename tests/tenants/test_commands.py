"""The commands of docs/operations.md, run as they are written there, each under its login."""

import os
import re
import subprocess
import sys
from collections.abc import Callable

import psycopg
from django.utils import timezone

import consolidation.urls
import memories.urls
import tenants.urls
from memories.services.engine import search_engine
from memory_site.stack.guardian import CHECKOUT
from tenants.models import EngineCredential
from tenants.services.engine_credential import engine_credential
from tenants.services.issue_key import KEY_ABILITIES
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, client_with, make_caller
from tests.plugin import DATABASE, database_url


def manage(*arguments: str, login: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py under a login."""
    environment = {key: value for key, value in os.environ.items() if key != "SEARCH_URL"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT,
        env={**environment, "DATABASE_URL": database_url(login)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_owner_migrates_and_sets_search_up(django_db_setup: None) -> None:
    for command in ("migrate", "setup_search"):
        ended = manage(command, login="mneme_owner")
        assert ended.returncode == 0, ended.stderr


def test_the_owner_is_still_refused_where_somebody_is_served(django_db_setup: None) -> None:
    checked = manage("check", "--database", "default", login="mneme_owner")
    assert checked.returncode
    assert "tenants.E001" in checked.stderr
    assert manage("check", "--database", "default", login="mneme_web").returncode == 0


def test_a_leaked_key_is_revoked_by_its_prefix(acme: Caller) -> None:
    other, engine, now = make_caller("globex"), search_engine(), timezone.now()
    held = engine_credential(acme.scope, engine, now=now)
    with open_scope(acme.system):
        EngineCredential.objects.create(
            tenant_id=acme.key.tenant_id,
            api_key_id=acme.key.id,
            engine="elsewhere",
            engine_id="x",
            secret=b"x",
            created_at=now,
            expires_at=now,
        )
    ended = manage("revoke_key", f"mneme_{acme.key.prefix}", login="mneme_worker")
    assert ended.returncode == 0, ended.stderr
    assert "is revoked" in ended.stdout
    assert "elsewhere" in ended.stdout
    assert acme.client.get("/api/v1/keys/me/").status_code == 401
    assert other.client.get("/api/v1/keys/me/").status_code == 200
    assert engine.reach_of(held.id) is None
    with open_scope(acme.system):
        assert list(EngineCredential.objects.values_list("engine", flat=True)) == ["elsewhere"]
    assert manage("revoke_key", acme.key.prefix, login="mneme_worker").returncode == 0


def test_a_key_that_is_none_or_whole_is_not_revoked(acme: Caller) -> None:
    for given, reason in (("0" * 12, "There is no key"), (acme.secret, "not the whole key"), ("x", "PREFIX")):
        ended = manage("revoke_key", given, login="mneme_worker")
        assert ended.returncode
        assert reason in ended.stderr
        assert acme.secret not in ended.stderr
    assert acme.client.get("/api/v1/keys/me/").status_code == 200


def test_a_wiped_engine_gets_the_whole_record_again(
    acme: Caller, drain: Callable[[], None], superuser_dsn: str
) -> None:
    acme.turn("the otter is called Bramble")
    acme.turn("the heron is called Quill", user_id="u2")
    drain()
    with psycopg.connect(superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
        superuser.execute("TRUNCATE engine.document, engine.posting, engine.statistics")
    assert acme.recall("otter", overlay=False)["results"] == []
    ended = manage("reindex", login="mneme_worker")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("2 rows")
    drain()
    assert len(acme.recall("otter", overlay=False)["results"]) == 1


def test_the_first_key_can_be_given_more(record: None) -> None:
    ended = manage(
        "create_tenant", "zoo", "--ability", "memories:read", "--ability", "catalog:write", login="mneme_worker"
    )
    assert ended.returncode == 0, ended.stderr
    me = client_with(ended.stdout.split()[-1]).get("/api/v1/keys/me/").json()
    assert me["abilities"] == ["catalog:write", "memories:read"]


def test_every_ability_of_a_key_is_offered_and_no_other(acme: Caller) -> None:
    for ability in KEY_ABILITIES:
        ended = manage("issue_key", "acme", "--ability", ability, login="mneme_worker")
        assert ended.returncode == 0, ended.stderr
    ended = manage("issue_key", "acme", "--ability", "members:manage", login="mneme_worker")
    assert "invalid choice" in ended.stderr


def test_the_table_says_which_calls_an_ability_opens() -> None:
    """Every view's ability stands in the table of docs/operations.md, and nothing else does."""
    views = [
        route.callback.view_class
        for urls in (tenants.urls, memories.urls, consolidation.urls)
        for route in urls.urlpatterns
    ]
    asked: set[str] = set()
    for view in views:
        asked |= {*view.ability.values()} if isinstance(view.ability, dict) else {view.ability or ""}
    page = (CHECKOUT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([a-z:]+)` \|", page, re.MULTILINE)) == asked - {""} == {*KEY_ABILITIES}


def test_a_key_is_issued_with_compartments_and_hidden_fields(acme: Caller) -> None:
    ended = manage(
        "issue_key", "acme", "--compartment", "doctor", "--compartment", "family", "--hide", "sensitive_notes",
        login="mneme_worker",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    described = client_with(ended.stdout.split()[-1]).get("/api/v1/keys/me/").json()
    assert described["compartments"] == ["doctor", "family"]
    assert described["hidden_fields"] == ["sensitive_notes"]
    for wrong in (("--hide", "text"), ("--compartment", "a,b"), ("--compartment", "none")):
        refused = manage("issue_key", "acme", *wrong, login="mneme_worker")
        assert refused.returncode
        assert "Traceback" not in refused.stderr


def test_a_key_is_issued_from_a_template(acme: Caller) -> None:
    acme.turn("hello", user_id="ada")
    ended = manage(
        "issue_key", "acme", "--template", "healthcare-patient", "--user-id", "ada", "--turns-a-day", "9",
        login="mneme_worker",
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    me = client_with(ended.stdout.split()[-1]).get("/api/v1/keys/me/").json()
    assert (me["template"], me["user_id"], me["quotas"]["turns_a_day"]) == ("healthcare-patient", "ada", 9)
    assert me["hidden_fields"] == ["sensitive_notes"]
    for wrong, said in (
        (("--template", "nothing"), "--template: there is no nothing"),
        (("--template", "healthcare-patient"), "--user-id"),
        (("--user-id", "nobody"), "--user-id"),
        (("--days", "0"), "--days"),
        (("--recalls-a-minute", "-1"), "--recalls-a-minute"),
    ):
        refused = manage("issue_key", "acme", *wrong, login="mneme_worker")
        assert refused.returncode
        assert said in refused.stderr
