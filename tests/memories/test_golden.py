"""Golden questions hold a change to account; and who sees which stored recall."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memories.models import RecallLog
from memories.services.forget_recalls import forget_recalls
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, login

Drain = Callable[[], None]


@pytest.fixture
def manager(acme: Caller) -> Caller:
    return acme.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])


def post(caller: Caller, path: str, status: int, **body: Any) -> dict[str, Any]:
    answer = caller.client.post(f"/api/v1/{path}", body, format="json")
    assert answer.status_code == status, answer.content
    said: dict[str, Any] = answer.json()
    return said


def test_a_change_that_loses_an_answer_is_seen(acme: Caller, manager: Caller, globex: Caller, drain: Drain) -> None:
    wanted = acme.turn("My sister Clara keeps bees", user_id="ada")
    for number in range(12):
        acme.turn(f"Bees, bees, bees: note {number}", user_id="ada", session_id=f"s{number}")
    drain()
    golden = post(
        manager, "golden/", 201, query="Who keeps bees?", user_id="ada", expected=[wanted["memory_id"]], within=3
    )
    nothing = post(manager, "golden/", 201, query="Which tyres fit a tractor?", user_id="ada", expected=[])
    assert acme.client.post("/api/v1/golden/check/", {}, format="json").status_code == 403
    assert post(manager, "golden/check/", 200) | {"results": []} == {"passed": 2, "failed": 0, "results": []}
    with login("mneme_worker"), pytest.raises(CommandError, match="issue_key globex --ability"):
        call_command("check_golden", "globex")
    rival = globex.holding(abilities=[Ability.KEYS_MANAGE, Ability.MEMORIES_READ])
    assert post(rival, "golden/check/", 200)["results"] == []
    out = StringIO()
    with login("mneme_worker"):
        call_command("check_golden", "acme", stdout=out)
    assert "2 of 2 golden questions hold" in out.getvalue()
    acme.client.delete(f"/api/v1/memories/{wanted['memory_id']}/")
    (failed,) = [one for one in post(manager, "golden/check/", 200)["results"] if not one["passed"]]
    assert failed["id"] == golden["id"]
    assert failed["missing"] == [wanted["memory_id"]]
    with login("mneme_worker"), pytest.raises(CommandError, match="do not hold"):
        call_command("check_golden", "acme", stdout=out)
    assert manager.client.delete(f"/api/v1/golden/{golden['id']}/").status_code == 204
    assert rival.client.delete(f"/api/v1/golden/{nothing['id']}/").status_code == 404
    listed = manager.client.get("/api/v1/golden/").json()["results"]
    assert [one["id"] for one in listed] == [nothing["id"]]


def test_only_a_manager_adds_and_faults_are_named(acme: Caller, manager: Caller) -> None:
    post(acme, "golden/", 403, query="bees?", expected=[])
    for body, field in (
        ({"query": "bees?"}, "expected"),
        ({"query": "bees?", "expected": ["x"]}, "expected.0"),
        ({"query": " ", "expected": []}, "query"),
        ({"query": "bees?", "expected": [], "within": 0}, "within"),
        ({"query": "bees?", "expected": [], "top_k": 3}, "top_k"),
    ):
        assert field in {fault["field"] for fault in post(manager, "golden/", 400, **body)["errors"]}
    theirs = acme.holding("doctor").turn("The biopsy is on Friday", compartments=["doctor"])["memory_id"]
    for unknown in (theirs, "01a22d9e-02b1-7032-a943-e04dd66c2246"):
        refused = post(manager, "golden/", 400, query="bees?", expected=[unknown])
        assert refused["errors"] == [
            {"field": "expected.0", "code": "unknown", "message": "leads to nothing; look the id up again"}
        ]


def test_a_question_about_a_compartment_is_for_those_who_hold_it(acme: Caller, manager: Caller) -> None:
    doctor = acme.holding("doctor", abilities=list(Ability)[:9])
    memory = doctor.turn("The biopsy is on Friday", compartments=["doctor"])["memory_id"]
    post(doctor, "golden/", 201, query="When is the biopsy?", user_id="u1", expected=[memory])
    for caller, seen in ((manager, 0), (doctor, 1)):
        assert len(caller.client.get("/api/v1/golden/").json()["results"]) == seen
        assert len(post(caller, "golden/check/", 200)["results"]) == seen


def test_who_holds_less_than_who_asked_does_not_see_the_recall(acme: Caller, drain: Drain) -> None:
    doctor = acme.holding("doctor")
    doctor.turn("The biopsy is on Friday", user_id="ada", compartments=["doctor"])
    drain()
    asked = doctor.recall("When is the biopsy?", user_id="ada")["recall_id"]
    assert doctor.client.get(f"/api/v1/recalls/{asked}/").status_code == 200
    for path in ("", "replay/", "run/"):
        method = acme.client.post if path else acme.client.get
        body = {"set": {"recall.use": 0}} if path == "replay/" else None
        assert method(f"/api/v1/recalls/{asked}/{path}", body, format="json").status_code == 404
    plain = acme.recall("When?", user_id="ada")["recall_id"]
    assert doctor.client.get(f"/api/v1/recalls/{plain}/").status_code == 200


def test_a_users_key_sees_what_it_asked_itself_and_nothing_else(acme: Caller, drain: Drain) -> None:
    for user in ("ada", "bob"):
        acme.turn(f"{user} likes bees", user_id=user)
    drain()
    with open_scope(acme.system):
        ada = Subject.objects.get(external_id="ada")
    own = acme.holding(subject=ada)
    answers = {
        "ada": acme.recall("bees", user_id="ada")["recall_id"],
        "bob": acme.recall("bees", user_id="bob")["recall_id"],
        "all": post(acme, "recall/", 200, query="bees")["recall_id"],
    }
    seen = {who: own.client.get(f"/api/v1/recalls/{recall_id}/").status_code for who, recall_id in answers.items()}
    assert seen == {"ada": 404, "bob": 404, "all": 404}
    asked = own.client.post("/api/v1/recall/", {"query": "bees"}, format="json").json()["recall_id"]
    assert own.client.get(f"/api/v1/recalls/{asked}/").status_code == 200
    again = post(acme, f"recalls/{asked}/run/", 200)
    assert {one["memory_id"] for one in again["results"]} == {
        hit["memory_id"] for hit in acme.recall("bees", user_id="ada")["results"]
    }


def test_old_recalls_are_forgotten_as_their_tenant_wants(acme: Caller, globex: Caller, manager: Caller) -> None:
    for caller in (acme, globex):
        caller.turn("the otter is called Bramble")
        caller.recall("otter")
    assert manager.client.patch("/api/v1/policy/", {"set": {"recall.log_days": 5}}, format="json").status_code == 200
    with login("mneme_worker"):
        assert forget_recalls(now=timezone.now() + timedelta(days=4)) == 0
        assert forget_recalls(now=timezone.now() + timedelta(days=6)) == 1
        with open_scope(globex.system):
            assert RecallLog.objects.count() == 1
