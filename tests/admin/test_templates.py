"""Templates of keys in the admin: a key begins with one, and editing one changes no key."""

from typing import Any

import pytest
from django.urls import reverse

from tenants.models import ApiKey, KeyTemplate
from tenants.roles import Role
from tenants.services.open_scope import open_scope
from tests.admin.conftest import Hire, Staff, events, text_of
from tests.admin.test_keys import ISSUE, secret_in
from tests.conftest import Caller, client_with

FIELDS: dict[str, Any] = {"abilities": ["memories:read"], "kinds": ["episodic"], "compartments": "a, b"}
ADD = "/admin/tenants/keytemplate/add/"


@pytest.fixture
def otto(acme: Caller, hire: Hire) -> Staff:
    """Return an operator of acme."""
    return hire("otto", Role.OPERATOR, acme)


def sent_as_shown(staff: Staff, path: str, **more: Any) -> Any:
    """Open a page and send its form as it is shown, but for what is changed."""
    page = staff.get(path)
    assert page.status_code == 200
    form = page.context["form"]
    shown = {name: form[name].value() for name in form.fields}
    fields = {name: value for name, value in shown.items() if value not in (None, False)}
    return staff.post(path, **{**fields, **more})


def test_a_template_fills_the_form_and_the_key(acme: Caller, otto: Staff) -> None:
    acme.turn("hello", user_id="ada")
    assert "?template=healthcare-patient" in text_of(otto.get(ISSUE))
    path = f"{ISSUE}?template=healthcare-patient"
    lonely = sent_as_shown(otto, path, name="patient's")
    assert lonely.status_code == 422
    assert "is for one user" in text_of(lonely)
    secret = secret_in(sent_as_shown(otto, path, name="patient's", user_id="ada", recalls_a_minute="9"))
    me = client_with(secret).get("/api/v1/keys/me/").json()
    assert (me["template"], me["user_id"], me["hidden_fields"]) == ("healthcare-patient", "ada", ["sensitive_notes"])
    assert (me["abilities"], me["compartments"]) == (["memories:read", "turns:write"], ["patient"])
    assert me["quotas"]["recalls_a_minute"] == 9
    page = text_of(otto.get(reverse("admin:tenants_apikey_change", args=[me["key_id"]])))
    assert "9 recalls a minute" in page
    assert "healthcare-patient" in page


def test_a_template_is_made_changed_and_removed_and_keys_stay(acme: Caller, otto: Staff) -> None:
    assert otto.send(ADD, **FIELDS, name="listener", lives_days="7").status_code == 302
    taken = otto.send(ADD, **FIELDS, name="listener")
    assert (taken.status_code, "already" in text_of(taken)) == (422, True)
    secret = secret_in(sent_as_shown(otto, f"{ISSUE}?template=listener", name="x"))
    with open_scope(acme.system):
        held = KeyTemplate.objects.get(name="listener")
        key = ApiKey.objects.get(template="listener")
    assert (held.compartments, key.compartments) == (["a", "b"], ["a", "b"])
    assert key.expires_at is not None
    edit = reverse("admin:tenants_keytemplate_edit", args=[held.id])
    stale = otto.get(edit).context["form"]["version"].value()
    assert sent_as_shown(otto, edit, compartments="c", turns_a_day="5").status_code == 302
    lost = sent_as_shown(otto, edit, compartments="d", version=stale)
    assert (lost.status_code, "meanwhile" in text_of(lost)) == (422, True)
    with open_scope(acme.system):
        changed = KeyTemplate.objects.get(name="listener")
        assert (changed.compartments, changed.turns_a_day) == (["c"], 5)
        assert ApiKey.objects.get(id=key.id).compartments == ["a", "b"]
    assert otto.send(reverse("admin:tenants_keytemplate_remove", args=[held.id])).status_code == 302
    assert client_with(secret).get("/api/v1/keys/me/").json()["compartments"] == ["a", "b"]
    kinds = [event.kind for event in events(acme, kind__startswith="template.", actor="user")]
    assert kinds == ["template.changed", "template.changed", "template.removed"]


def test_an_operator_makes_no_template_beyond_the_role(acme: Caller, otto: Staff, hire: Hire) -> None:
    assert otto.send(ADD, **{**FIELDS, "abilities": ["compliance"]}, name="x").status_code == 422
    vera = hire("vera", Role.VIEWER, acme)
    with open_scope(acme.system):
        held = KeyTemplate.objects.get(name="customer-service")
    for name, args in (("add", []), ("edit", [held.id]), ("remove", [held.id])):
        assert vera.get(reverse(f"admin:tenants_keytemplate_{name}", args=args)).status_code == 403
    assert vera.get(reverse("admin:tenants_keytemplate_change", args=[held.id])).status_code == 200
