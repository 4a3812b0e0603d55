"""What staff does is on the record: coming in, failing to, going, what a role was refused."""

from typing import Any

from django.urls import reverse
from django.utils import timezone

from memory_site.stack.valkey import Valkey
from tenants.models import Event
from tenants.roles import Role
from tenants.services.create_admin import create_admin
from tenants.services.note_refusal import keyed_hash
from tenants.services.open_scope import open_operator
from tests.admin.conftest import PASSWORD, Hire, Staff, events
from tests.conftest import Caller, login


def of_site(prefix: str) -> list[tuple[str, dict[str, Any]]]:
    with login("mneme_worker"), open_operator():
        found = Event.objects.filter(tenant_id=None, kind__startswith=prefix).order_by("at", "id")
        return [(one.kind, {**one.data, "actor": one.actor}) for one in found]


def test_signing_in_failing_to_and_going_are_noted_without_names(acme: Caller, hire: Hire, valkey: Valkey) -> None:
    vera = hire("vera", Role.VIEWER, acme)
    for password in ("wrong", "also wrong"):
        assert Staff(id=0, name="vera").sign_in(password).status_code == 200
    assert Staff(id=0, name="nobody").sign_in().status_code == 200
    assert vera.post(reverse("admin:logout")).status_code in {200, 302}
    noted = of_site("staff.")
    assert [kind for kind, _ in noted] == [
        "staff.signed_in", "staff.sign_in_failed", "staff.sign_in_failed", "staff.signed_out",
    ]  # fmt: skip
    assert noted[0][1]["staff_id"] == vera.id
    assert noted[0][1]["actor"] == "user"
    assert [data["name"] for _, data in noted[1:3]] == [keyed_hash("vera"), keyed_hash("nobody")]
    assert "vera" not in str(noted)


def test_a_changed_password_and_a_made_admin_are_noted(acme: Caller, hire: Hire) -> None:
    vera = hire("vera", Role.VIEWER, acme)
    new = "a staple of horse batteries"
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert vera.post(reverse("admin:password_change"), **{**fields, "old_password": "x"}).status_code == 200
    assert vera.post(reverse("admin:password_change"), **fields).status_code == 302
    with login("mneme_worker"):
        create_admin("ada", tenant_ids=[], role=Role.OWNER, replace_password=False, now=timezone.now())
    kinds = [kind for kind, _ in of_site("staff.")]
    assert kinds == ["staff.signed_in", "staff.password_changed", "staff.created"]


def test_what_a_role_is_refused_is_on_the_tenants_chain(acme: Caller, hire: Hire) -> None:
    vera = hire("vera", Role.VIEWER, acme)
    for _ in range(3):
        assert vera.get(reverse("admin:tenants_apikey_add")).status_code == 403
    (noted,) = events(acme, kind="access.refused")
    assert noted.data == {
        "reason": "role", "asked": "GET admin/tenants/apikey/add/", "attempts": 1, "staff_id": vera.id,
    }  # fmt: skip


def test_who_asks_for_a_tenant_of_others_is_noted(acme: Caller, globex: Caller, hire: Hire, valkey: Valkey) -> None:
    vera = hire("vera", Role.VIEWER, acme)
    assert vera.choose(globex.key.tenant_id).status_code == 200
    ((kind, data),) = of_site("access.")
    assert (kind, data["staff_id"], data["reason"]) == ("access.refused", vera.id, "no_member")
