"""One tenant's staff sees and does nothing in another: the database stops it, whatever is asked."""

from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from django.utils import timezone

from tenants.admin.site import site
from tenants.admin.visit import SESSION_KEY
from tenants.models import Membership
from tenants.roles import Role
from tenants.services.issue_key import KEY_ABILITIES, issue_key
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.admin.walk import Page, everything_of, pages, rows_of
from tests.conftest import Caller
from tests.memories.canaries import plant

WORDS = ("quillword", "quill-user", "quill-session", "quill-key", "gwen", "globex", "Globex")
"""What only globex has; none may reach the staff of acme."""
EXPECTED = {200, 302, 400, 403, 404, 405, 422}
"""A wrong request is refused in one of these ways, and never fails (500)."""


@pytest.fixture
def gwen(globex: Caller, hire: Hire) -> Staff:
    """Return globex' owner, in a tenant that has a row of everything."""
    globex.turn("the heron says quillword", user_id="quill-user", session_id="quill-session")
    issue_key(globex.system, name="quill-key", now=timezone.now())
    return hire("gwen", Role.OWNER, globex)


def leaks(response: Any) -> list[str]:
    """Return the words of globex that an answer holds, in its body or its headers."""
    body = text_of(response) + str(response.headers) + str(response.cookies)
    return [word for word in WORDS if word in body]


def searches(page: Page) -> list[dict[str, str]]:
    """Return what to ask a page for: plainly, by text, and by another tenant's ids."""
    asked = [{}, {"q": "quill"}, {"s": "quill"}, {"q": "heron"}]
    if page.model is not None:
        asked += [{f"{name}__id__exact": value} for value in page.ids for name in ("tenant", "subject", "session")]
    return asked


def test_the_owner_of_globex_sees_it(gwen: Staff, globex: Caller) -> None:
    """Show that the walk below would find what it looks for."""
    shown = {word for page in pages(rows_of(globex)) for word in leaks(gwen.get(page.path))}
    assert shown >= {"quillword", "quill-user", "quill-session", "quill-key", "gwen", "globex"}


@pytest.mark.parametrize("superuser", [False, True])
def test_staff_of_acme_sees_nothing_of_globex_on_any_page(
    acme: Caller, globex: Caller, gwen: Staff, hire: Hire, superuser: bool, superuser_dsn: str
) -> None:
    acme.turn("the otter is called Bramble", user_id="u1")
    rows = rows_of(globex)
    before = everything_of(superuser_dsn, globex.key.tenant_id)
    assert before["memories_memory"]
    assert before["tenants_membership"]
    anna = hire("anna", Role.OWNER, acme, superuser=superuser)
    walked = 0
    for page in pages(rows):
        for query in searches(page):
            answer = anna.get(page.path, **query)
            assert answer.status_code in EXPECTED, (page.path, query, answer.status_code)
            assert not leaks(answer), (page.path, query)
            walked += 1
    assert walked > 150
    assert everything_of(superuser_dsn, globex.key.tenant_id) == before


def test_staff_of_acme_changes_nothing_of_globex_by_any_post(
    acme: Caller, globex: Caller, gwen: Staff, hire: Hire, superuser_dsn: str
) -> None:
    rows = rows_of(globex)
    before = everything_of(superuser_dsn, globex.key.tenant_id)
    anna = hire("anna", Role.OWNER, acme)
    forged = {
        "form_id": anna.form_id(reverse("admin:tenants_apikey_add")),
        "tenant": str(globex.key.tenant_id),
        "tenant_id": str(globex.key.tenant_id),
        "role": "owner",
        "username": "gwen",
        "name": "forged",
        "user_id": "quill-user",
        "abilities": ["memories:read"],
        "kinds": ["episodic"],
        "overlap_s": "0",
        "action": "delete_selected",
        "_selected_action": [str(pk) for found in rows.values() for pk in found],
        "post": "yes",
        "text": "forged",
        "status": "active",
    }
    for page in pages(rows):
        answer = anna.post(page.path, **forged)
        assert answer.status_code in EXPECTED, (page.path, answer.status_code)
        # A form repeats what was typed into it: these two words are what anna herself sent.
        assert not set(leaks(answer)) - {"gwen", "quill-user"}, page.path
    assert everything_of(superuser_dsn, globex.key.tenant_id) == before
    assert globex.client.get("/api/v1/keys/me/").status_code == 200


@pytest.mark.parametrize("model_name", ["memory", "turn", "session"])
def test_autocomplete_offers_nothing_of_globex(
    acme: Caller, globex: Caller, gwen: Staff, hire: Hire, model_name: str
) -> None:
    anna = hire("anna", Role.OWNER, acme)
    asked = {"app_label": "memories", "model_name": model_name, "field_name": "subject", "term": "quill"}
    own = gwen.get(reverse("admin:autocomplete"), **asked)
    assert own.status_code == 200
    assert len(own.json()["results"]) == 1
    foreign = anna.get(reverse("admin:autocomplete"), **asked)
    assert foreign.status_code == 200
    assert foreign.json()["results"] == []


def test_a_forged_session_leads_back_to_the_choice(acme: Caller, globex: Caller, gwen: Staff, hire: Hire) -> None:
    anna = hire("anna", Role.OWNER, acme)
    store = SessionStore(anna.client.session.session_key)
    store[SESSION_KEY] = str(globex.key.tenant_id)
    store.save()
    for name in ("index", "memories_memory_changelist", "tenants_apikey_add"):
        answer = anna.get(reverse(f"admin:{name}"))
        assert (answer.status_code, answer["Location"]) == (302, reverse("admin:choose_tenant"))
    assert SESSION_KEY not in SessionStore(anna.client.session.session_key)


def test_another_tenant_cannot_be_chosen(acme: Caller, globex: Caller, gwen: Staff, hire: Hire) -> None:
    anna = hire("anna", Role.OWNER, acme)
    answer = anna.choose(globex.key.tenant_id)
    assert answer.status_code == 200
    assert not leaks(answer)
    assert acme.slug in text_of(anna.get(reverse("admin:index")))
    assert not any(event.data.get("staff_id") == anna.id for event in events(globex))


@pytest.mark.parametrize("superuser", [False, True])
def test_without_a_membership_there_is_nothing_but_a_sentence(
    acme: Caller, globex: Caller, gwen: Staff, hire: Hire, superuser: bool
) -> None:
    nora = hire("nora", superuser=superuser)
    for page in pages(rows_of(globex)):
        assert not leaks(nora.get(page.path)), page.path
    answer = nora.get(reverse("admin:index"))
    assert answer["Location"] == reverse("admin:choose_tenant")
    assert "not a member of any tenant" in text_of(nora.get(reverse("admin:choose_tenant")))


def test_before_the_choice_there_is_no_data(acme: Caller, hire: Hire) -> None:
    acme.turn("the otter is called Bramble")
    anna = hire("anna", Role.OWNER, acme)
    assert "Bramble" in text_of(anna.get(reverse("admin:memories_memory_changelist")))
    fresh = Staff(id=anna.id, name=anna.name)
    fresh.sign_in()
    answer = fresh.get(reverse("admin:memories_memory_changelist"))
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:choose_tenant"))
    assert acme.slug in text_of(fresh.get(reverse("admin:choose_tenant")))


def test_a_removed_member_is_out_with_the_next_request(acme: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.VIEWER, acme)
    assert anna.get(reverse("admin:memories_memory_changelist")).status_code == 200
    with open_scope(acme.system):
        Membership.objects.filter(user_id=anna.id).delete()
    answer = anna.get(reverse("admin:memories_memory_changelist"))
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:choose_tenant"))


def test_every_page_says_which_tenant_it_shows(acme: Caller, globex: Caller, hire: Hire) -> None:
    anna = hire("anna", Role.OWNER, acme, globex)
    for caller in (acme, globex):
        anna.choose(caller.key.tenant_id)
        for model in site._registry:
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
            assert f">{caller.slug}</span>" in text_of(anna.get(reverse(name)))


def test_a_form_opened_in_one_tenant_does_nothing_in_another(acme: Caller, globex: Caller, hire: Hire) -> None:
    """Take the second browser tab, in which the tenant was switched meanwhile."""
    anna = hire("anna", Role.OWNER, acme, globex)
    page = reverse("admin:tenants_apikey_add")
    form_id = anna.form_id(page)
    anna.choose(globex.key.tenant_id)
    answer = anna.post(page, form_id=form_id, name="agent", abilities=["memories:read"], kinds=["episodic"])
    assert answer.status_code == 422
    assert "opened in another tenant" in text_of(answer)
    assert not events(globex, kind="key.issued", actor="user")


def test_staff_sees_nothing_of_a_compartment_of_its_own_tenant_on_any_page(acme: Caller, hire: Hire) -> None:
    planted = plant(acme.holding("doctor", abilities=KEY_ABILITIES), "k", ["doctor"])
    acme.turn("the otter is called Bramble", user_id="u1")
    olga = hire("olga", Role.OWNER, acme)
    walked = 0
    for page in pages(rows_of(acme)):
        for query in [
            {},
            {"q": "zqk"},
            {"q": "sleeps"},
        ]:  # the first part of every word: a page repeats what was asked
            body = text_of(olga.get(page.path, **query))
            assert not [word for word in planted.words.values() if word in body], (page.path, query)
            walked += 1
    assert walked > 60
    for name, row in (("memory", "fact"), ("memory", "episode"), ("turn", "turn")):
        path = reverse(f"admin:memories_{name}_change", args=[planted.ids[row]])
        assert olga.get(path).status_code == 302, name
