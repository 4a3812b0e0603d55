"""Reviews in the admin: an operator decides, a viewer looks."""

from django.urls import reverse
from django.utils import timezone

from consolidation.models import Decision, ReviewItem
from consolidation.services.due import asked
from consolidation.services.work import work
from memories.models import Entity, Memory
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, events, text_of
from tests.conftest import Caller, login

LIST = reverse("admin:consolidation_reviewitem_changelist")


def opened(acme: Caller) -> ReviewItem:
    """Have a review of something unsure."""
    acme.turn("I live in Leeds.")
    acme.turn("I think I live in Bradford.")
    with login("mneme_worker"):
        work(asked(acme.key.tenant_id), clock=timezone.now)
    with open_scope(acme.system):
        return ReviewItem.objects.get()


def believed(acme: Caller) -> set[str]:
    with open_scope(acme.system):
        return set(Memory.objects.filter(memory_type="semantic", status="active").values_list("text", flat=True))


def test_an_operator_accepts_and_the_other_fact_gives_way(acme: Caller, hire: Hire) -> None:
    item = opened(acme)
    oscar = hire("oscar", Role.OPERATOR, acme)
    page = text_of(oscar.get(LIST))
    assert "The user lives in Bradford" in page
    assert "The user lives in Leeds" in page
    oscar.post(LIST, action="accept", _selected_action=str(item.id))
    assert believed(acme) == {"The user lives in Bradford"}
    answer = oscar.client.get(LIST)
    assert "1 review was accepted" in text_of(answer)


def test_a_rejected_one_is_never_believed_and_a_second_decision_is_refused(acme: Caller, hire: Hire) -> None:
    item = opened(acme)
    oscar = hire("oscar", Role.OPERATOR, acme)
    oscar.post(LIST, action="reject", _selected_action=str(item.id))
    oscar.post(LIST, action="accept", _selected_action=str(item.id))
    assert believed(acme) == {"The user lives in Leeds"}
    assert "Not accepted" in text_of(oscar.get(LIST))


def test_a_viewer_decides_nothing(acme: Caller, hire: Hire) -> None:
    item = opened(acme)
    vera = hire("vera", Role.VIEWER, acme)
    assert vera.get(reverse("admin:consolidation_reviewitem_change", args=[item.id])).status_code == 200
    vera.post(LIST, action="accept", _selected_action=str(item.id))
    assert believed(acme) == {"The user lives in Leeds"}
    assert vera.get(reverse("admin:consolidation_decision_changelist")).status_code == 200
    assert vera.get(reverse("admin:consolidation_run_changelist")).status_code == 200


def test_an_operator_takes_back_all_that_came_of_a_turn_and_a_viewer_does_not(acme: Caller, hire: Hire) -> None:
    acme.turn("I live in Leeds.")
    acme.turn("I moved to Lagos yesterday.")
    with login("mneme_worker"):
        work(asked(acme.key.tenant_id), clock=timezone.now)
    with open_scope(acme.system):
        decision = Decision.objects.get(verdict="superseded")
    listed = reverse("admin:consolidation_decision_changelist")
    hire("vera", Role.VIEWER, acme).post(listed, action="revert_turn", _selected_action=str(decision.id))
    assert believed(acme) == {"The user lives in Lagos"}
    oscar = hire("oscar", Role.OPERATOR, acme)
    oscar.post(listed, action="revert_turn", _selected_action=str(decision.id))
    assert believed(acme) == {"The user lives in Leeds"}
    assert "was taken back: receipt" in text_of(oscar.get(listed))
    (event,) = events(acme, kind="evidence.reverted")
    assert event.data["staff_id"] == oscar.id


def test_an_operator_accepts_that_two_entities_are_one(acme: Caller, hire: Hire) -> None:
    for name in ("Barclays", "Barclays Bank"):
        body = {"user_id": "u1", "entity_type": "company", "name": name}
        assert acme.client.post("/api/v1/entities/", body, format="json").status_code == 201
    acme.turn("I live in Leeds.")
    with login("mneme_worker"):
        work(asked(acme.key.tenant_id), clock=timezone.now)
    with open_scope(acme.system):
        item = ReviewItem.objects.get(kind="merge")
    vera = hire("vera", Role.VIEWER, acme)
    assert "Barclays = Barclays Bank?" in text_of(vera.get(LIST))
    vera.post(LIST, action="accept", _selected_action=str(item.id))
    oscar = hire("oscar", Role.OPERATOR, acme)
    page = oscar.get(reverse("admin:consolidation_reviewitem_change", args=[item.id]))
    assert "Barclays Bank" in text_of(page)
    with open_scope(acme.system):
        assert Entity.objects.filter(entity_type="company", closed_at__isnull=True).count() == 2
    oscar.post(LIST, action="accept", _selected_action=str(item.id))
    with open_scope(acme.system):
        (left,) = Entity.objects.filter(entity_type="company", closed_at__isnull=True)
        assert (left.name, left.aliases) == ("Barclays", ["Barclays Bank"])
        assert ReviewItem.objects.get(id=item.id).state == "accepted"
