"""Signing in: strict cookies, CSRF, and a pause after too many failures."""

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tenants.roles import Role
from tests.admin.conftest import PASSWORD, Hire, Staff, text_of
from tests.conftest import Caller


def test_every_page_asks_to_sign_in(record: None) -> None:
    for name in ("index", "choose_tenant", "memories_memory_changelist", "tenants_apikey_add", "tenants_tenant_add"):
        answer = Client().get(reverse(f"admin:{name}"))
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("admin:login"))


def test_the_cookies_are_strict(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.VIEWER, acme)
    for name in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME):
        cookie = anna.client.cookies[name]
        assert name.startswith("__Host-")
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Strict")
    assert anna.client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 12 * 60 * 60


def test_a_post_without_its_token_is_refused(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.OWNER, acme)
    answer = anna.client.post(reverse("admin:choose_tenant"), {"tenant_id": str(acme.key.tenant_id)})
    assert answer.status_code == 403


def test_the_api_needs_no_token_and_takes_no_session(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.OWNER, acme)
    assert anna.client.get("/api/v1/keys/me/").status_code == 401
    answer = acme.client.post("/api/v1/turns/", {"session_id": "s", "content": "x"}, format="json")
    assert answer.status_code == 201
    assert not answer.cookies


def test_a_session_ends_on_signing_out(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.VIEWER, acme)
    before = anna.client.session.session_key
    assert anna.get(reverse("admin:index")).status_code == 200
    assert anna.post(reverse("admin:logout")).status_code in {200, 302}
    anna.client.cookies[settings.SESSION_COOKIE_NAME] = before or ""
    assert anna.get(reverse("admin:index"))["Location"].startswith(reverse("admin:login"))


@pytest.mark.parametrize("name", ["vera", "nobody"])
def test_after_too_many_failures_even_the_right_password_waits(
    record: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    User.objects.create_user("vera", password=PASSWORD, is_staff=True)
    monkeypatch.setattr(settings, "AXES_FAILURE_LIMIT", 3)
    vera = Staff(id=0, name=name)
    first = vera.sign_in("wrong")
    assert first.status_code == 200
    assert "correct username and password" in text_of(first)
    vera.sign_in("wrong")
    assert vera.sign_in("wrong").status_code == 429
    locked = vera.post(reverse("admin:login"), username=name, password=PASSWORD)
    assert locked.status_code == 429
    assert "paused" in text_of(locked)
    other = Staff(id=0, name="other")
    assert other.sign_in("wrong").status_code == 200


def test_who_is_no_staff_stays_outside(record: None) -> None:
    User.objects.create_user("outsider", password=PASSWORD)
    outsider = Staff(id=0, name="outsider")
    assert outsider.sign_in().status_code == 200
    assert outsider.get(reverse("admin:index"))["Location"].startswith(reverse("admin:login"))


def test_what_is_not_there_is_a_page_in_the_admin_and_a_problem_elsewhere(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.VIEWER, acme)
    missing = anna.get("/admin/nowhere/")
    assert (missing.status_code, missing["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert anna.get("/nowhere/")["Content-Type"] == "application/problem+json"
    assert anna.get("/admin")["Location"] == reverse("admin:index")


@pytest.mark.parametrize("name", ["a" * 151, "a" * 256, "a" * 100_000, "\ufdfa" * 150, "a\0b", "\0"])
def test_a_name_that_nobody_can_have_is_refused_and_not_counted(record: None, name: str) -> None:
    stranger = Staff(id=0, name=name)
    for password in ("wrong", PASSWORD):
        answer = stranger.sign_in(password)
        assert answer.status_code == 200
        assert answer.context["form"].errors
        assert not answer.cookies.get(settings.SESSION_COOKIE_NAME)
    assert not AccessAttempt.objects.exists()


def test_the_longest_name_signs_in(record: None) -> None:
    name = "a" * 150
    User.objects.create_user(name, password=PASSWORD, is_staff=True)
    assert Staff(id=0, name=name).sign_in().status_code == 302


def test_nul_beside_the_name_is_no_fault_of_ours(record: None) -> None:
    stranger = Staff(id=0, name="nobody")
    stranger.sign_in()
    login = reverse("admin:login")
    assert stranger.post(login, username="nobody", password="a\0", more="\0").status_code == 200
    assert stranger.post(f"{login}?next=%00", username="nobody", password="a").status_code == 400


def test_signing_in_leads_to_the_admin_where_the_form_names_no_page(record: None) -> None:
    User.objects.create_user("vera", password=PASSWORD, is_staff=True)
    vera = Staff(id=0, name="vera")
    login = reverse("admin:login")
    vera.get(login)
    answer = vera.post(login, username="vera", password=PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:index"))


@pytest.mark.parametrize(
    "key", ['"\\000aaaaaaaaaaa"', '"aaaaaaaaaaa\\000"', "\u00e9" * 32, "A" * 32, "a" * 5_000, "", "a"]
)
@pytest.mark.parametrize("path", ["/admin/", "/admin/login/", "/inspector/", "/inspector/acme/"])
def test_a_cookie_that_is_no_sessions_key_is_nobody(record: None, key: str, path: str) -> None:
    """Take quoted cookies too, in which a backslash and three digits are a character."""
    answer = Client(headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={key}"}).get(path)
    assert answer.status_code == (200 if path == reverse("admin:login") else 302)
    if answer.status_code == 302:
        assert answer["Location"].startswith(reverse("admin:login"))
