"""Members are added with a password shown once; superusers create tenants; the command line makes superusers."""

from typing import Any

import pytest
import regex
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from tenants.models import Membership
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.conftest import Caller, client_with, login

ADD = "/admin/tenants/membership/add/"
_SHOWN = regex.compile(r'id="secret"[^>]*value="([^"]+)"')


def shown_secret(answer: Any) -> str:
    """Return the secret on a page."""
    assert answer.status_code == 200, answer.status_code
    match = _SHOWN.search(text_of(answer))
    assert match
    return str(match[1])


def test_a_new_member_signs_in_with_the_password_shown_once(acme: Caller, hire: Hire) -> None:
    olga = hire("olga", Role.OWNER, acme)
    password = shown_secret(olga.send(ADD, username="newton", role="operator"))
    assert password not in text_of(olga.get(reverse("admin:tenants_membership_changelist")))
    newton = Staff(id=User.objects.get(username="newton").pk, name="newton")
    assert newton.sign_in(password).status_code == 302
    assert newton.choose(acme.key.tenant_id).status_code == 302
    assert newton.get(reverse("admin:tenants_apikey_add")).status_code == 200
    assert not User.objects.get(username="newton").is_superuser
    (noted,) = events(acme, kind="member.added")
    assert noted.data == {
        "member_id": newton.id, "role": "operator", "user_created": True, "staff_id": olga.id
    }  # fmt: skip


def test_a_user_of_another_tenant_is_added_without_a_password(acme: Caller, globex: Caller, hire: Hire) -> None:
    olga = hire("olga", Role.OWNER, acme)
    gwen = hire("gwen", Role.OWNER, globex)
    assert olga.send(ADD, username="gwen", role="viewer").status_code == 302
    assert acme.slug in text_of(gwen.get(reverse("admin:choose_tenant")))
    again = olga.send(ADD, username="gwen", role="owner")
    assert again.status_code == 422
    assert "member already" in text_of(again)
    User.objects.create_user("idle", is_staff=True, is_active=False)
    User.objects.create_user("outsider")
    for name in ("idle", "outsider"):
        assert "may not sign in" in text_of(olga.send(ADD, username=name, role="viewer"))
    with open_scope(acme.system):
        assert Membership.objects.count() == 2


def test_a_superuser_creates_a_tenant_and_owns_it(acme: Caller, hire: Hire) -> None:
    root = hire("root", superuser=True)
    add = reverse("admin:tenants_tenant_add")
    assert "Create a tenant" in text_of(root.get(reverse("admin:choose_tenant")))
    taken = root.post(add, slug="acme", name="")
    assert taken.status_code == 422
    assert "exists already" in text_of(taken)
    secret = shown_secret(root.post(add, slug="initech", name="Initech Ltd"))
    assert client_with(secret).get("/api/v1/keys/me/").json()["tenant"]["slug"] == "initech"
    page = text_of(root.get(reverse("admin:choose_tenant")))
    assert "initech" in page
    assert "acme" not in page


@pytest.mark.parametrize("role", list(Role))
def test_no_role_creates_tenants(acme: Caller, hire: Hire, role: Role) -> None:
    staff = hire("sam", role, acme)
    staff.get(reverse("admin:index"))
    assert staff.post(reverse("admin:tenants_tenant_add"), slug="initech", name="").status_code == 403


def test_the_command_makes_a_superuser_with_memberships(
    acme: Caller, globex: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    with login("mneme_worker"):
        call_command("create_admin", "root", "--tenant", "acme", "--role", "viewer")
        password = capsys.readouterr().out.strip().splitlines()[-1]
        with pytest.raises(CommandError, match="already"):
            call_command("create_admin", "root")
        with pytest.raises(CommandError, match="no tenant nowhere"):
            call_command("create_admin", "other", "--tenant", "nowhere")
        with pytest.raises(CommandError, match="USERNAME"):
            call_command("create_admin", "no name")
    root = Staff(id=User.objects.get(username="root").pk, name="root")
    assert root.sign_in(password).status_code == 302
    page = text_of(root.get(reverse("admin:choose_tenant")))
    assert "acme" in page
    assert "globex" not in page
    with login("mneme_worker"):
        call_command("create_admin", "root", "--tenant", "acme", "--tenant", "globex", "--replace-password")
        renewed = capsys.readouterr().out.strip().splitlines()[-1]
    assert root.sign_in(password).status_code == 200
    assert root.sign_in(renewed).status_code == 302
    with open_scope(acme.system):
        assert Membership.objects.get(user_id=root.id).role == Role.VIEWER
    assert [event.data["role"] for event in events(globex, kind="member.added")] == ["owner"]


def test_a_user_changes_the_own_password(acme: Caller, hire: Hire) -> None:
    sam = hire("sam", Role.VIEWER, acme)
    change = reverse("admin:password_change")
    assert sam.get(change).status_code == 200
    weak = sam.post(change, old_password="correct horse battery staple", new_password1="short", new_password2="short")
    assert weak.status_code == 200
    new = "another horse, another staple"
    done = sam.post(change, old_password="correct horse battery staple", new_password1=new, new_password2=new)
    assert done.status_code == 302
    assert sam.get(reverse("admin:index")).status_code == 200
    assert Staff(id=sam.id, name="sam").sign_in(new).status_code == 302
