"""Each role sees and does what it may, and no more."""

from typing import Any

import pytest
from django.urls import reverse

from tenants.models import Membership, Subject
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, events
from tests.admin.walk import everything_of, pages, rows_of
from tests.conftest import Caller

MANAGES_KEYS = {Role.OPERATOR, Role.OWNER}
SEES_EVENTS = ERASES = {Role.COMPLIANCE, Role.OWNER}


@pytest.mark.parametrize("role", list(Role))
def test_a_role_opens_its_pages_only(acme: Caller, hire: Hire, role: Role) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    staff = hire("sam", role, acme)
    with open_scope(acme.system):
        member = Membership.objects.get(user_id=staff.id)
        person = Subject.objects.get(external_id="u1")
    expected = {
        "tenants_apikey_add": role in MANAGES_KEYS,
        "tenants_apikey_rotate": role in MANAGES_KEYS,
        "tenants_apikey_revoke": role in MANAGES_KEYS,
        "tenants_membership_add": role is Role.OWNER,
        "tenants_membership_role": role is Role.OWNER,
        "tenants_membership_remove": role is Role.OWNER,
        "tenants_event_changelist": role in SEES_EVENTS,
        "tenants_subject_erase": role in ERASES,
        "memories_memory_changelist": True,
        "memories_turn_changelist": True,
        "tenants_apikey_changelist": True,
        "tenants_membership_changelist": True,
        "tenants_tenant_add": False,
    }
    ids = {"apikey": acme.key.id, "membership": member.id, "subject": person.id}
    for name, allowed in expected.items():
        acts = name.endswith(("rotate", "revoke", "role", "remove", "erase"))
        args = [ids[name.split("_")[1]]] if acts else []
        assert staff.get(reverse(f"admin:{name}", args=args)).status_code == (200 if allowed else 403), name
    menu = {item["title"] for group in staff.get(reverse("admin:index")).context["sidebar_navigation"]
            for item in group["items"]}  # fmt: skip
    assert ("Events" in menu) == (role in SEES_EVENTS)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.COMPLIANCE])
def test_who_only_looks_changes_nothing_by_any_post(acme: Caller, hire: Hire, role: Role, superuser_dsn: str) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    staff = hire("sam", role, acme)
    rows = rows_of(acme)
    before = _without_events(everything_of(superuser_dsn, acme.key.tenant_id))
    fields: dict[str, Any] = {
        "form_id": "x", "name": "x", "abilities": ["memories:read"], "kinds": ["episodic"], "overlap_s": "0",
        "username": "mallory", "role": "owner", "slug": "initech", "post": "yes", "action": "delete_selected",
    }  # fmt: skip
    for page in pages(rows):
        if page.path == reverse("admin:password_change"):
            continue
        answer = staff.post(page.path, **fields)
        assert answer.status_code in {200, 302, 400, 403, 404, 405}, (page.path, answer.status_code)
    assert _without_events(everything_of(superuser_dsn, acme.key.tenant_id)) == before
    assert {event.kind for event in events(acme, actor="user")} <= {
        "tenant.entered", "access.refused", "memory.listed", "turn.listed", "session.listed", "subject.listed",
        "run.listed", "decision.listed", "review.listed",
    }  # fmt: skip


def test_the_last_owner_stays_and_roles_change_with_the_next_request(acme: Caller, hire: Hire) -> None:
    olga = hire("olga", Role.OWNER, acme)
    sam = hire("sam", Role.VIEWER, acme)
    with open_scope(acme.system):
        of = {member.user_id: member.id for member in Membership.objects.all()}
    role = reverse("admin:tenants_membership_role", args=[of[olga.id]])
    remove = reverse("admin:tenants_membership_remove", args=[of[olga.id]])
    for answer in (olga.send(role, role="viewer"), olga.send(remove)):
        assert answer.status_code == 422
        assert "at least one owner" in answer.content.decode()
    assert sam.get(reverse("admin:tenants_apikey_add")).status_code == 403
    assert olga.send(reverse("admin:tenants_membership_role", args=[of[sam.id]]), role="owner").status_code == 302
    assert sam.get(reverse("admin:tenants_apikey_add")).status_code == 200
    assert sam.send(remove).status_code == 302
    assert olga.get(reverse("admin:index"))["Location"] == reverse("admin:choose_tenant")
    noted = events(acme, kind__startswith="member.")
    assert [(event.kind, event.actor, event.data["staff_id"], event.data["member_id"]) for event in noted] == [
        ("member.changed", "user", olga.id, sam.id),
        ("member.removed", "user", sam.id, olga.id),
    ]


def _without_events(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    return {table: found for table, found in rows.items() if table != "tenants_event"}
