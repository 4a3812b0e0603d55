"""The pages show the chosen tenant's rows, and nothing can be edited."""

import pytest
from django.db import DatabaseError, connection
from django.urls import reverse

from memories.models import Memory
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, events, text_of
from tests.admin.walk import pages, rows_of
from tests.conftest import Caller

LISTS = ("memories_memory", "memories_turn", "memories_session", "tenants_subject", "tenants_apikey",
         "tenants_membership", "tenants_event", "tenants_tenant")  # fmt: skip


def test_every_list_and_row_can_be_looked_at_and_none_edited(acme: Caller, hire: Hire) -> None:
    said = acme.turn("the otter is called Bramble " + "x" * 300, user_id="u1")
    owner = hire("olga", Role.OWNER, acme)
    page = text_of(owner.get(reverse("admin:memories_memory_changelist")))
    assert "the otter is called Bramble" in page
    assert "x" * 300 not in page
    assert "u1" in page
    for name in LISTS:
        listed = owner.get(reverse(f"admin:{name}_changelist"))
        assert listed.status_code == 200, name
        row = listed.context["cl"].result_list[0]
        path = reverse(f"admin:{name}_change", args=[row.pk])
        shown = owner.get(path)
        assert shown.status_code == 200, name
        assert 'name="_save"' not in text_of(shown)
        assert owner.post(path, text="other", status="active").status_code == 403
        assert owner.post(reverse(f"admin:{name}_delete", args=[row.pk]), post="yes").status_code == 403
    detail = text_of(owner.get(reverse("admin:memories_memory_change", args=[said["memory_id"]])))
    assert "x" * 300 in detail
    assert reverse("admin:memories_turn_change", args=[said["turn_id"]]) in detail


def test_memories_are_found_by_text_and_by_user(acme: Caller, hire: Hire) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    acme.turn("the heron is called Quill", user_id="u2")
    viewer = hire("vera", Role.VIEWER, acme)
    for asked in ("bramble", "u1"):
        page = text_of(viewer.get(reverse("admin:memories_memory_changelist"), q=asked))
        assert "Bramble" in page
        assert "Quill" not in page


def test_what_is_in_a_compartment_is_left_out_with_its_turn_and_session(acme: Caller, hire: Hire) -> None:
    said = acme.holding("doctor").turn("the otter is called Bramble", session_id="ward", compartments=["doctor"])
    acme.turn("the heron is called Quill")
    viewer = hire("vera", Role.OWNER, acme)
    for name, seen in (("memories_memory", "Quill"), ("memories_turn", "Quill"), ("memories_session", "s1")):
        page = text_of(viewer.get(reverse(f"admin:{name}_changelist")))
        assert seen in page
        assert "Bramble" not in page
        assert "ward" not in page
    for name, pk in (("memories_memory", said["memory_id"]), ("memories_turn", said["turn_id"])):
        assert viewer.get(reverse(f"admin:{name}_change", args=[pk])).status_code == 302


def test_what_people_said_is_text_on_every_page(acme: Caller, hire: Hire) -> None:
    evil = '<img src=x onerror=alert(1)><b x-init="alert(2)">\'"&{{ 7*7 }}'
    acme.turn(evil, user_id=evil, session_id=evil, agent_id=evil, speaker=evil)
    olga = hire("olga", Role.OWNER, acme)
    seen = 0
    for page in pages(rows_of(acme)):
        body = text_of(olga.get(page.path))
        assert "<img src=x" not in body, page.path
        assert "<b x-init" not in body, page.path
        seen += "&lt;img src=x" in body
    assert seen >= 8


def test_looking_is_on_the_record(acme: Caller, hire: Hire) -> None:
    said = acme.turn("the otter is called Bramble", user_id="u1")
    viewer = hire("vera", Role.VIEWER, acme)
    viewer.get(reverse("admin:memories_memory_changelist"), q="otter")
    viewer.get(reverse("admin:memories_memory_change", args=[said["memory_id"]]))
    noted = events(acme, actor="user")
    assert [event.kind for event in noted] == ["tenant.entered", "memory.listed", "memory.viewed"]
    assert {event.data["staff_id"] for event in noted} == {viewer.id}
    assert [str(pk) for pk in noted[1].object_ids] == [said["memory_id"]]
    assert noted[1].data["searched"] is True
    assert noted[2].subject_pseudonym is not None
    assert "otter" not in str([event.data for event in noted])


def test_the_overview_counts_and_says_what_to_do_first(acme: Caller, hire: Hire) -> None:
    viewer = hire("vera", Role.VIEWER, acme)
    assert "Send the first turn" in text_of(viewer.get(reverse("admin:index")))
    acme.turn("the otter is called Bramble")
    page = viewer.get(reverse("admin:index"))
    assert {card["label"]: card["count"] for card in page.context["cards"]} == {
        "active memories": 1, "sessions": 1, "turns": 1, "subjects": 1, "live API keys": 1,
    }  # fmt: skip
    assert "1 on the way to the search engine" in text_of(page)


def test_the_admins_own_log_and_users_are_out_of_reach_inside_a_scope(acme: Caller) -> None:
    for table in ("django_admin_log", "auth_user", "django_session", "axes_accessattempt"):
        with (
            pytest.raises(DatabaseError, match="permission denied"),
            open_scope(acme.system),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"SELECT * FROM {table}")


def test_a_failing_page_leaves_nothing_behind(acme: Caller, hire: Hire, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page runs in one transaction: when its template fails, the events noted before are gone too."""
    from memories.admin.memories import MemoryAdmin

    acme.turn("the otter is called Bramble")
    viewer = hire("vera", Role.VIEWER, acme)
    viewer.client.raise_request_exception = False

    def fail(self: object, row: Memory) -> str:
        raise RuntimeError("the page is broken")

    monkeypatch.setattr(MemoryAdmin, "short_text", fail)
    assert viewer.get(reverse("admin:memories_memory_changelist")).status_code == 500
    monkeypatch.undo()
    assert not events(acme, kind="memory.listed")
    assert viewer.get(reverse("admin:memories_memory_changelist")).status_code == 200
