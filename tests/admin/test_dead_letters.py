"""Dead letters in the admin: seen by all roles of the tenant, tried again by whoever may write."""

from uuid import UUID

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.urls import reverse
from django.utils import timezone

from memories.models import OutboxEntry
from memories.services import outbox
from memories.services.claim import claim
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.conftest import Caller, login

PAGE = reverse("admin:memories_outboxentry_changelist")


def give_up_on_all() -> None:
    with login("mneme_worker"):
        now = timezone.now()
        outbox.give_up(claim(100, now=now), code="rejected:too_large", now=now)


def entry_of(caller: Caller) -> UUID:
    with open_scope(caller.system):
        return OutboxEntry.objects.get().id


def retry(staff: Staff, entry_id: UUID) -> None:
    staff.post(PAGE, action="retry", **{ACTION_CHECKBOX_NAME: str(entry_id)})


def test_an_operator_sees_dead_letters_and_tries_them_again(acme: Caller, hire: Hire) -> None:
    waiting = acme.turn("the otter is called Bramble")["memory_id"]
    olga = hire("olga", Role.OPERATOR, acme)
    assert waiting not in text_of(olga.get(PAGE))  # what is on its way is none
    give_up_on_all()
    shown = text_of(olga.get(PAGE))
    assert waiting in shown
    assert "rejected:too_large" in shown
    assert "Bramble" not in shown
    assert acme.client.get("/api/v1/sync/").json()["dead_letters"] == 1
    retry(olga, entry_of(acme))
    answer = acme.client.get("/api/v1/sync/").json()
    assert (answer["pending"], answer["dead_letters"]) == (1, 0)
    (event,) = events(acme, kind="document.retried")
    assert event.data["staff_id"] == olga.id


def test_a_viewer_looks_and_changes_nothing(acme: Caller, hire: Hire) -> None:
    acme.turn("the otter is called Bramble")
    give_up_on_all()
    vera = hire("vera", Role.VIEWER, acme)
    assert "rejected:too_large" in text_of(vera.get(PAGE))
    retry(vera, entry_of(acme))
    assert acme.client.get("/api/v1/sync/").json()["dead_letters"] == 1


def test_another_tenants_dead_letters_are_neither_seen_nor_reached(acme: Caller, globex: Caller, hire: Hire) -> None:
    theirs = acme.turn("the otter is called Bramble")["memory_id"]
    globex.turn("the heron is called Ash")
    give_up_on_all()
    gwen = hire("gwen", Role.OWNER, globex)
    assert theirs not in text_of(gwen.get(PAGE))
    retry(gwen, entry_of(acme))
    assert acme.client.get("/api/v1/sync/").json()["dead_letters"] == 1
    assert globex.client.get("/api/v1/sync/").json()["dead_letters"] == 1
