"""What a list can be asked: its own filters, and nothing about columns that are not shown."""

from typing import Any

import pytest
from django.urls import reverse

from memories.models import Session
from tenants.admin.site import site
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, text_of
from tests.conftest import Caller

NUL = "\0"
AUTOCOMPLETE = {"app_label": "memories", "model_name": "memory", "field_name": "subject"}


def lists() -> list[tuple[str, Any]]:
    """Return every list of the site, and its admin."""
    return [
        (reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"), admin)
        for model, admin in site._registry.items()
    ]


def test_a_column_that_is_not_shown_cannot_be_guessed(acme: Caller, hire: Hire) -> None:
    said = {"text": "the otter is called Bramble", "sensitive_notes": "HIV positive"}
    assert acme.client.post("/api/v1/memories/", said, format="json").status_code == 201
    vera = hire("vera", Role.VIEWER, acme)
    for asked in ("HIV", "ABC"):
        answer = vera.get(reverse("admin:memories_memory_changelist"), sensitive_notes__startswith=asked)
        assert answer.status_code == 400
        assert "Bramble" not in text_of(answer)


@pytest.mark.parametrize("ending", ["", "__exact", "__startswith", "__gt", "__in", "__isnull", "__regex"])
def test_no_list_can_be_asked_about_any_column_but_by_its_filters(acme: Caller, hire: Hire, ending: str) -> None:
    acme.turn("the otter is called Bramble")
    owner = hire("olga", Role.OWNER, acme)
    refused = 0
    for path, admin in lists():
        for field in admin.model._meta.get_fields():
            answer = owner.get(path, **{f"{field.name}{ending}": "1"})
            if field.name in admin.list_filter and ending in {"", "__exact", "__isnull"}:
                assert answer.status_code in {200, 302}, (path, field.name)
            else:
                assert answer.status_code == 400, (path, field.name)
                refused += 1
    assert refused > 80


def test_the_filters_a_list_shows_work(acme: Caller, hire: Hire) -> None:
    acme.turn("the otter is called Bramble", session_id="s1")
    acme.turn("the heron is called Quill", session_id="s2")
    owner = hire("olga", Role.OWNER, acme)
    tried = 0
    for path, admin in lists():
        specs = owner.get(path).context["cl"].filter_specs
        assert len(specs) <= len(admin.list_filter)
        for spec in specs:
            for choice in spec.choices(owner.get(path).context["cl"]):
                assert owner.get(path + choice["query_string"]).status_code == 200, (path, choice)
                tried += 1
    assert tried > 10
    with open_scope(acme.system):
        session = Session.objects.get(external_id="s1")
    page = text_of(owner.get(reverse("admin:memories_turn_changelist"), session__id__exact=str(session.id)))
    assert "Bramble" in page
    assert "Quill" not in page


def test_the_dates_of_the_events_lead_to_their_days(acme: Caller, hire: Hire) -> None:
    owner = hire("olga", Role.OWNER, acme)
    path = reverse("admin:tenants_event_changelist")
    row = owner.get(path).context["cl"].result_list[0]
    day = {"at__year": row.at.year, "at__month": row.at.month, "at__day": row.at.day}
    assert row.pk in [one.pk for one in owner.get(path, **day).context["cl"].result_list]
    assert not owner.get(path, at__year="1999").context["cl"].result_list


@pytest.mark.parametrize("value", [f"a{NUL}", "x", "", "9" * 40, "0", "9999", "²", "\u0663"])
def test_a_bad_value_is_never_a_fault_of_ours(acme: Caller, hire: Hire, value: str) -> None:
    acme.turn("the otter is called Bramble")
    owner = hire("olga", Role.OWNER, acme)
    asked = [(reverse("admin:autocomplete"), {**AUTOCOMPLETE, "term": value})]
    for path, admin in lists():
        names = [f"{name}{end}" for name in admin.list_filter for end in ("", "__exact", "__isnull")]
        names += [*admin.linked_lookups, "q", "o", "p", "_to_field", "_popup", "all", "e", value]
        asked += [(path, {name: value}) for name in names]
        if admin.date_hierarchy:
            dates = [f"{admin.date_hierarchy}__{part}" for part in ("year", "month", "day")]
            asked += [(path, dict.fromkeys(dates, value)), (path, {**dict.fromkeys(dates, "1"), dates[2]: value})]
            asked += [(path, {name: value}) for name in dates]
            asked.append((path, {dates[0]: value, dates[1]: "12", dates[2]: "31"}))
    for path, query in asked:
        answer = owner.get(path, **query)
        assert answer.status_code in {200, 302, 400}, (path, query)
        assert NUL not in value or answer.status_code == 400, (path, query)


def test_djangos_way_to_a_public_site_is_not_there(acme: Caller, hire: Hire) -> None:
    assert hire("olga", Role.OWNER, acme).get("/admin/r/1/1/").status_code == 404


def test_a_persons_page_leads_to_what_is_known_of_him_and_of_nobody_else(acme: Caller, hire: Hire) -> None:
    acme.turn("the otter is called Bramble", user_id="ada")
    acme.turn("the heron is called Quill", user_id="ada2")
    owner = hire("olga", Role.OWNER, acme)
    people = owner.get(reverse("admin:tenants_subject_changelist"), q="ada").context["cl"].result_list
    ada = next(person for person in people if person.external_id == "ada")
    page = text_of(owner.get(reverse("admin:tenants_subject_change", args=[ada.id])))
    for name in ("memories_memory", "memories_session", "memories_turn", "consolidation_decision"):
        path = reverse(f"admin:{name}_changelist")
        assert f"{path}?subject__id__exact={ada.id}" in page
        shown = owner.get(path, subject__id__exact=str(ada.id))
        assert shown.status_code == 200
        assert "Quill" not in text_of(shown)
    turns = owner.get(reverse("admin:memories_turn_changelist"), subject__id__exact=str(ada.id))
    assert "Bramble" in text_of(turns)
