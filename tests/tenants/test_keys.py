"""API keys: issued once, hashed, refused when revoked or expired."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memories.services.engine import search_engine
from tenants.models import ApiKey, EngineCredential, Event
from tenants.scope import Ability
from tenants.services.issue_key import issue_key
from tenants.services.open_scope import open_scope
from tenants.services.revoke_key import revoke_key
from tests.conftest import Caller, client_with, login


def test_create_tenant_prints_a_key_that_works(record: None, capsys: pytest.CaptureFixture[str]) -> None:
    with login("mneme_worker"):
        call_command("create_tenant", "initech", "--name", "Initech Ltd")
    secret = capsys.readouterr().out.strip().splitlines()[-1]
    answer = client_with(secret).get("/api/v1/keys/me/")
    assert answer.status_code == 200
    assert answer.json()["tenant"] == {"slug": "initech", "name": "Initech Ltd"}
    assert answer.json()["user_id"] is None
    assert "memories:read" in answer.json()["abilities"]
    assert secret not in str(answer.json())


def test_create_tenant_refuses_a_slug_that_exists_or_is_no_slug(acme: Caller) -> None:
    with login("mneme_worker"):
        with pytest.raises(CommandError, match="exists already"):
            call_command("create_tenant", "acme")
        with pytest.raises(CommandError, match="SLUG"):
            call_command("create_tenant", "no slug")


def test_issue_key_makes_a_further_key(acme: Caller, capsys: pytest.CaptureFixture[str]) -> None:
    with login("mneme_worker"):
        call_command("issue_key", "acme")
        secret = capsys.readouterr().out.strip().splitlines()[-1]
        with pytest.raises(CommandError, match="no tenant"):
            call_command("issue_key", "nobody")
    assert client_with(secret).get("/api/v1/keys/me/").json()["tenant"]["slug"] == "acme"


def test_only_the_hash_is_stored_and_issuing_is_on_the_record(acme: Caller) -> None:
    with open_scope(acme.scope):
        row = ApiKey.objects.get()
        assert acme.secret not in str(vars(row))
        kinds = list(Event.objects.order_by("id").values_list("kind", flat=True))
    assert kinds == ["tenant.created", "key.issued"]


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer nonsense", "Basic abc", "Bearer mneme_000000000000_" + "x" * 43]
)
def test_no_key_or_a_wrong_one_is_401_with_a_challenge(record: None, header: str) -> None:
    client = client_with("")
    client.credentials(HTTP_AUTHORIZATION=header)
    answer = client.get("/api/v1/keys/me/")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_an_expired_key_is_refused(acme: Caller) -> None:
    now = timezone.now()
    issued = issue_key(acme.system, name="short", expires_at=now - timedelta(seconds=1), now=now)
    assert client_with(issued.secret).get("/api/v1/keys/me/").status_code == 401


def test_a_revoked_key_is_refused_here_and_by_the_engine(acme: Caller) -> None:
    acme.turn("the otter is called Bramble")
    assert acme.recall("otter")["results"]
    with open_scope(acme.scope):
        held = list(EngineCredential.objects.values_list("engine_id", flat=True))
    assert held
    assert all(search_engine().reach_of(engine_id) for engine_id in held)
    revoke_key(acme.system, acme.key.id, engine=search_engine(), now=timezone.now())
    assert acme.client.get("/api/v1/keys/me/").status_code == 401
    assert [search_engine().reach_of(engine_id) for engine_id in held] == [None] * len(held)
    with open_scope(acme.system):
        assert not EngineCredential.objects.exists()


def test_a_key_has_only_the_abilities_it_was_given(acme: Caller) -> None:
    issued = issue_key(acme.system, name="reader", abilities=[Ability.MEMORIES_READ], now=timezone.now())
    client = client_with(issued.secret)
    answer = client.post("/api/v1/turns/", {"session_id": "s", "content": "x"}, format="json")
    assert answer.status_code == 403
    assert client.post("/api/v1/recall/", {"query": "x"}, format="json").status_code == 200


def test_a_key_of_one_user_is_that_user(acme: Caller) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    acme.turn("the heron is called Quill", user_id="u2")
    with open_scope(acme.scope):
        from tenants.models import Subject

        subject = Subject.objects.get(external_id="u1")
    issued = issue_key(acme.system, name="u1's", subject=subject, now=timezone.now())
    client = client_with(issued.secret)
    assert client.get("/api/v1/keys/me/").json()["user_id"] == "u1"
    found = client.post("/api/v1/recall/", {"query": "what is called what"}, format="json").json()
    assert [hit["text"] for hit in found["results"]] == ["the otter is called Bramble"]
    for user in ("u2", "nobody"):
        refused = client.post("/api/v1/recall/", {"query": "heron", "user_id": user}, format="json")
        assert refused.status_code == 403
    written = client.post("/api/v1/turns/", {"session_id": "s1", "content": "I like tea"}, format="json")
    assert written.json()["user_id"] == "u1"
