"""API keys in the admin: issued, rotated, revoked; the secret is shown once and kept nowhere."""

import logging
from datetime import timedelta
from typing import Any

import psycopg
import pytest
import regex
from django.conf import settings
from django.contrib.sessions.models import Session as WebSession
from django.urls import reverse
from django.utils import timezone

from backends.errors import Unavailable
from memories.services.engine import search_engine
from memories.services.erase import erase
from tenants.models import ApiKey, EngineCredential, Subject
from tenants.roles import Role
from tenants.scope import Ability, ScopeDenied
from tenants.services.issue_key import issue_key
from tenants.services.member_scope import staff_scope
from tenants.services.open_scope import open_scope
from tenants.services.rotate_key import KeyNotLive, rotate_key
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.conftest import Caller, client_with
from tests.plugin import DATABASE

SECRET = regex.compile(r"mneme_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")
ISSUE = "/admin/tenants/apikey/add/"
FIELDS: dict[str, Any] = {"name": "agent", "abilities": ["turns:write", "memories:read"], "kinds": ["episodic"]}


def secret_in(answer: Any) -> str:
    """Return the one secret on a page."""
    assert answer.status_code == 200, answer.status_code
    found = set(SECRET.findall(text_of(answer)))
    assert len(found) == 1
    return str(found.pop())


def rotate(key: ApiKey) -> str:
    return reverse("admin:tenants_apikey_rotate", args=[key.id])


def revoke(key: ApiKey) -> str:
    return reverse("admin:tenants_apikey_revoke", args=[key.id])


def works(secret: str) -> bool:
    return client_with(secret).get("/api/v1/keys/me/").status_code == 200


@pytest.fixture
def otto(acme: Caller, hire: Hire) -> Staff:
    """Return an operator of acme."""
    return hire("otto", Role.OPERATOR, acme)


def test_an_issued_key_works_as_it_was_asked_for(acme: Caller, otto: Staff) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    answer = otto.send(ISSUE, **FIELDS, user_id="u1", compartments="doctor, family", expires="30", purpose="support")
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    secret = secret_in(answer)
    assert f"MNEME_API_KEY={secret}" in text_of(answer)
    me = client_with(secret).get("/api/v1/keys/me/").json()
    assert (me["name"], me["user_id"], me["purpose"]) == ("agent", "u1", "support")
    assert me["abilities"] == ["memories:read", "turns:write"]
    assert me["compartments"] == ["doctor", "family"]
    assert me["expires_at"] > (timezone.now() + timedelta(days=29)).isoformat()
    (noted,) = events(acme, kind="key.issued", actor="user")
    assert noted.data == {"staff_id": otto.id}


def test_the_secret_is_in_no_later_page_no_session_no_message_no_log_and_no_table(
    acme: Caller, otto: Staff, superuser_dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        secret = secret_in(otto.send(ISSUE, **FIELDS))
        with open_scope(acme.system):
            key = ApiKey.objects.get(name="agent")
        later = [
            otto.get(reverse(f"admin:{name}"))
            for name in ("index", "tenants_apikey_changelist", "tenants_apikey_add")
        ]
        later.append(otto.get(reverse("admin:tenants_apikey_change", args=[key.id])))
    token = secret.rpartition(f"{key.prefix}_")[2]
    assert all(token not in text_of(page) for page in later)
    assert token not in caplog.text
    assert token not in str(otto.client.cookies)
    assert all(token not in str(session.get_decoded()) for session in WebSession.objects.all())
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as database:
        tables = database.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'engine')"
        )
        for schema, table in tables.fetchall():
            found = database.execute(f'SELECT 1 FROM "{schema}"."{table}" t WHERE t::text LIKE %s', [f"%{token}%"])
            assert found.fetchone() is None, table


def test_a_form_sent_twice_issues_one_key_and_shows_its_secret_once(acme: Caller, otto: Staff) -> None:
    form_id = otto.form_id(ISSUE)
    secret_in(otto.post(ISSUE, form_id=form_id, **FIELDS))
    again = otto.post(ISSUE, form_id=form_id, **FIELDS)
    assert again.status_code == 422
    assert "not shown again" in text_of(again)
    assert not SECRET.search(text_of(again))
    with open_scope(acme.system):
        assert ApiKey.objects.filter(name="agent").count() == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"abilities": []}, "abilities"),
        ({"abilities": ["compliance"]}, "abilities"),
        ({"abilities": ["members:manage"]}, "abilities"),
        ({"kinds": ["dreams"]}, "kinds"),
        ({"user_id": "nobody"}, "user_id"),
        ({"compartments": "none"}, "compartments"),
        ({"compartments": "a b"}, "compartments"),
        ({"expires": "forever"}, "expires"),
        ({"form_id": "forged"}, "form_id"),
    ],
)
def test_a_wrong_form_names_its_field_and_issues_nothing(
    acme: Caller, otto: Staff, fields: dict[str, Any], field: str
) -> None:
    answer = otto.post(ISSUE, **{"form_id": otto.form_id(ISSUE), **FIELDS, **fields})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert not events(acme, kind="key.issued", actor="user")


def test_nobody_gives_what_the_role_lacks(acme: Caller, otto: Staff, hire: Hire) -> None:
    scope = staff_scope(acme.key.tenant_id, otto.id, role=Role.OPERATOR, request_id="")
    with pytest.raises(ScopeDenied):
        issue_key(scope, name="x", abilities=[Ability.COMPLIANCE], now=timezone.now())
    strong = issue_key(acme.system, name="strong", abilities=[Ability.COMPLIANCE], now=timezone.now())
    answer = otto.send(rotate(strong.key), overlap_s="0")
    assert answer.status_code == 422
    assert "an owner must rotate it" in text_of(answer)
    assert works(strong.secret)
    owner = hire("olga", Role.OWNER, acme)
    assert works(secret_in(owner.send(rotate(strong.key), overlap_s="0")))
    with pytest.raises(ScopeDenied):
        issue_key(acme.system, name="x", abilities=[Ability.MEMBERS_MANAGE], now=timezone.now())


def test_rotating_keeps_the_old_key_for_the_overlap(acme: Caller, otto: Staff) -> None:
    answer = otto.send(rotate(acme.key), overlap_s="3600")
    assert works(secret_in(answer))
    assert works(acme.secret)
    with open_scope(acme.system):
        old = ApiKey.objects.get(id=acme.key.id)
    assert old.expires_at is not None
    assert timedelta(minutes=59) < old.expires_at - timezone.now() <= timedelta(hours=1)
    (noted,) = events(acme, kind="key.rotated")
    assert (noted.actor, noted.data["overlap_s"], noted.object_ids[0]) == ("user", 3600, acme.key.id)


def test_rotating_now_ends_the_old_key_here_and_in_the_engine(acme: Caller, otto: Staff) -> None:
    acme.turn("the otter is called Bramble")
    assert acme.recall("otter")["results"]
    with open_scope(acme.system):
        held = list(EngineCredential.objects.values_list("engine_id", flat=True))
    assert held
    secret = secret_in(otto.send(rotate(acme.key), overlap_s="0"))
    assert not works(acme.secret)
    assert [search_engine().reach_of(engine_id) for engine_id in held] == [None] * len(held)
    found = client_with(secret).post("/api/v1/recall/", {"query": "otter", "user_id": "u1"}, format="json")
    assert len(found.json()["results"]) == 1


def test_a_rotated_key_has_the_old_ones_rights_and_life(acme: Caller) -> None:
    now = timezone.now()
    old = issue_key(
        acme.system,
        name="narrow",
        abilities=[Ability.MEMORIES_READ],
        kinds=["episodic"],
        compartments=["doctor"],
        hidden_fields=["sensitive_notes"],
        purpose="care",
        expires_at=now + timedelta(days=10),
        now=now,
    )
    later = now + timedelta(days=4)
    engine = search_engine()
    new = rotate_key(acme.system, old.key.id, overlap=timedelta(days=7), engine=engine, now=later)
    fields = ("name", "abilities", "kinds", "compartments", "hidden_fields", "purpose", "subject_id")
    assert [getattr(new.issued.key, name) for name in fields] == [getattr(old.key, name) for name in fields]
    assert new.issued.key.expires_at == later + timedelta(days=10)
    assert new.old_ends_at == old.key.expires_at  # never later than it was
    after = now + timedelta(days=11)
    with pytest.raises(KeyNotLive):
        rotate_key(acme.system, old.key.id, overlap=timedelta(0), engine=engine, now=after)
    for overlap in (timedelta(days=8), timedelta(seconds=-1)):
        with pytest.raises(ValueError, match="overlap"):
            rotate_key(acme.system, new.issued.key.id, overlap=overlap, engine=engine, now=after)


def test_a_revoked_key_is_refused_and_cannot_be_rotated(acme: Caller, otto: Staff) -> None:
    acme.turn("the otter is called Bramble")
    acme.recall("otter")
    assert "cannot be undone" in text_of(otto.get(revoke(acme.key)))
    assert works(acme.secret)
    answer = otto.send(revoke(acme.key))
    assert answer.status_code == 302
    assert not works(acme.secret)
    with open_scope(acme.system):
        assert not EngineCredential.objects.exists()
    (noted,) = events(acme, kind="key.revoked")
    assert (noted.actor, noted.data["staff_id"], noted.object_ids) == ("user", otto.id, [acme.key.id])
    page = text_of(otto.get(reverse("admin:tenants_apikey_change", args=[acme.key.id])))
    assert "revoked" in page
    assert "../rotate/" not in page
    refused = otto.send(rotate(acme.key), overlap_s="0")
    assert refused.status_code == 422
    assert "issue a new one" in text_of(refused)


def test_the_key_of_a_user_being_erased_is_not_rotated_into_a_wider_one(acme: Caller, otto: Staff) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    with open_scope(acme.system):
        subject = Subject.objects.get(external_id="u1")
    own = issue_key(acme.system, name="own", subject=subject, now=timezone.now())
    erase(acme.system, subject.id, now=timezone.now())
    refused = otto.send(rotate(own.key), overlap_s="3600")
    assert refused.status_code == 422
    page = text_of(otto.get(reverse("admin:tenants_apikey_changelist"), q="own"))
    assert "a user being erased" in page
    assert "u1" not in page


def test_when_the_engine_is_away_the_key_is_refused_here_and_the_page_says_so(acme: Caller, otto: Staff) -> None:
    """The engine is a port where nobody listens."""
    acme.turn("the otter is called Bramble")
    acme.recall("otter")
    forms = {path: otto.form_id(path) for path in (rotate(acme.key), revoke(acme.key))}
    before = settings.SEARCH_URL
    settings.SEARCH_URL = "postgresql://mneme_web:wrong@127.0.0.1:1/none"
    try:
        with pytest.raises(Unavailable):
            search_engine().ping()
        answer = otto.post(rotate(acme.key), form_id=forms[rotate(acme.key)], overlap_s="0")
        secret = secret_in(answer)
        assert "revoke it once more" in text_of(answer)
        assert otto.post(revoke(acme.key), form_id=forms[revoke(acme.key)]).status_code == 302
        assert "did not answer" in text_of(otto.get(reverse("admin:tenants_apikey_change", args=[acme.key.id])))
    finally:
        settings.SEARCH_URL = before
    assert not works(acme.secret)
    assert works(secret)
    with open_scope(acme.system):
        assert EngineCredential.objects.filter(api_key_id=acme.key.id).exists()
    assert otto.send(revoke(acme.key)).status_code == 302
    with open_scope(acme.system):
        assert not EngineCredential.objects.filter(api_key_id=acme.key.id).exists()
