"""Forgetting: what nobody asks for fades, is archived, can be asked for and restored, and goes where the policy says."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from consolidation.services.forget import Forgotten, forget
from consolidation.services.forget_jobs import begin_nightly, do_forgetting, last_quiet_hour, open_forgetting
from consolidation.services.work import Worked
from memories.models import Memory, MemoryVector, Turn
from memories.services.strengths import tiers_of
from tenants.policy import DEFAULT
from tenants.scope import Ability
from tenants.services.open_scope import open_eraser, open_scope
from tests.conftest import Caller, login
from tests.consolidation.conftest import Person
from tests.consolidation.test_once import in_threads
from tests.plugin import DATABASE

Forget = Callable[..., Forgotten]
SAID = "The blue folder with the travel receipts is in the cupboard next to the kitchen window."


@pytest.fixture
def forget_in(agent: Caller) -> Forget:
    """Return a function that forgets of acme as the worker does so many days from now."""

    def run(days: float) -> Forgotten:
        with login("mneme_worker"):
            return forget(agent.key.tenant_id, clock=lambda: timezone.now() + timedelta(days=days))

    return run


def set_policy(caller: Caller, **values: Any) -> None:
    said = {f"forgetting.{name}": value for name, value in values.items()}
    answer = caller.client.patch("/api/v1/policy/", {"set": said}, format="json")
    assert answer.status_code == 200, answer.content


def status_of(caller: Caller, memory_id: str) -> str:
    answer = caller.client.get(f"/api/v1/memories/{memory_id}/")
    assert answer.status_code == 200, answer.content
    status: str = answer.json()["status"]
    return status


def learned(person: Person, text: str, **fields: Any) -> str:
    body = {"user_id": person.user_id, "text": text, **fields}
    answer = person.caller.client.post("/api/v1/memories/", body, format="json")
    assert answer.status_code == 201, answer.content
    memory_id: str = answer.json()["id"]
    return memory_id


def as_superuser(dsn: str, statement: str, *values: object) -> None:
    with psycopg.connect(dsn, dbname=DATABASE, autocommit=True) as server:
        server.execute(statement, values)


def test_what_nobody_asks_for_is_archived_found_by_its_stub_and_restored(
    each_engine: str,
    ada: Person,
    sleep: Callable[[], Worked],
    drain: Callable[[], None],
    forget_in: Forget,
) -> None:
    said = ada.say(SAID + " " + "Nothing else is worth a word. " * 10)
    sleep()
    drain()
    assert forget_in(290).archived == 0
    assert forget_in(310).archived == 1
    drain()
    assert status_of(ada.caller, said["memory_id"]) == "archived"
    question = "Where is the blue folder with the travel receipts?"
    assert ada.caller.recall(question, user_id="ada")["results"] == []
    (hit,) = ada.caller.recall(question, user_id="ada", include_archived=True)["results"]
    assert (hit["memory_id"], hit["tier"], hit["status"]) == (said["memory_id"], "cold", "archived")
    assert hit["text"].endswith("…")
    assert len(hit["text"]) <= 160
    assert hit["source"]["turn_id"] == said["turn_id"]
    whole = ada.caller.client.get(f"/api/v1/memories/{said['memory_id']}/").json()["text"]
    assert whole.startswith(SAID)
    assert len(whole) > 300
    with open_scope(ada.caller.scope):
        assert not MemoryVector.objects.filter(memory_id=said["memory_id"]).exists()
    answer = ada.caller.client.post(f"/api/v1/memories/{said['memory_id']}/restore/", {}, format="json")
    assert answer.status_code in (200, 201), answer.content
    drain()
    (again,) = ada.caller.recall(question, user_id="ada")["results"]
    assert (again["restores"], again["tier"]) == (said["memory_id"], "hot")
    assert again["text"] == whole


def test_at_a_time_before_it_was_archived_it_is_believed(ada: Person, sleep: Callable[[], Worked]) -> None:
    said = ada.say(SAID)
    sleep()
    before = timezone.now()
    set_policy(ada.caller, archive_below=1, keep_from=1)
    with login("mneme_worker"):
        assert forget(ada.caller.key.tenant_id, clock=timezone.now).archived == 1
    assert ada.caller.recall("the blue folder", user_id="ada")["results"] == []
    (hit,) = ada.caller.recall("the blue folder", user_id="ada", as_of=before.isoformat())["results"]
    assert hit["memory_id"] == said["memory_id"]
    assert (
        ada.caller.recall(
            "the blue folder", user_id="ada", include_archived=True, as_of=(before - timedelta(days=1)).isoformat()
        )["results"]
        == []
    )


def test_use_and_repetition_keep_a_memory(ada: Person, sleep: Callable[[], Worked], forget_in: Forget) -> None:
    used, unused = (
        learned(ada, text) for text in ("The printer code is 4471", "The cellar light is broken sometimes")
    )
    for _ in range(3):
        hits = ada.caller.recall("printer code", user_id="ada", memory_types=["semantic"], top_k=1)["results"]
        assert hits[0]["memory_id"] == used
    # 0.5 falls below 0.05 after 3.32 half-lives of 365 days; use of 3 lifts it to 0.575, 3.52 half-lives.
    assert forget_in(365 * 3.4).archived == 1
    assert (status_of(ada.caller, used), status_of(ada.caller, unused)) == ("active", "archived")


def test_what_is_important_unread_shared_or_a_playbook_stays(ada: Person, forget_in: Forget) -> None:
    unread = ada.say(SAID)["memory_id"]
    important = learned(ada, "Ada is allergic to penicillin", importance=0.8)
    shared = ada.caller.client.post("/api/v1/memories/", {"text": "Lunch is at noon"}, format="json").json()["id"]
    body = {"user_id": "ada", "trigger": "the hub is down", "steps": ["Unplug it"], "importance": 0.1}
    playbook = ada.caller.client.post("/api/v1/procedures/", body, format="json").json()["id"]
    faded = learned(ada, "Ada once owned a green umbrella", importance=0.7)
    assert forget_in(365 * 9).archived == 1
    assert [status_of(ada.caller, one) for one in (unread, important, shared, playbook, faded)] == [
        "active",
        "active",
        "active",
        "active",
        "archived",
    ]


def test_a_dry_run_tells_what_and_why_and_changes_nothing(ada: Person, agent: Caller) -> None:
    weak = learned(ada, "Ada hummed a tune", importance=0.1)
    learned(ada, "Ada plays chess", importance=0.7)
    set_policy(agent, archive_below=0.2)
    body = agent.client.post("/api/v1/forgetting/preview/", {"user_id": "ada"}, format="json").json()
    assert body["delete"] == {"memories": 0, "more": False, "by_type": {}, "samples": []}
    assert (body["archive"]["memories"], body["archive"]["by_type"]) == (1, {"semantic": 1})
    (sample,) = body["archive"]["samples"]
    assert (sample["memory_id"], sample["why"], sample["importance"]) == (weak, "faded", 0.1)
    assert sample["strength"] == pytest.approx(0.1, abs=1e-3)
    assert status_of(agent, weak) == "active"
    out = StringIO()
    with login("mneme_worker"):
        call_command("forget", "acme", "--user", "ada", "--dry-run", stdout=out)
        with pytest.raises(CommandError, match="no user bob"):
            call_command("forget", "acme", "--user", "bob", "--dry-run")
    assert "1 memories would be archived: 1 semantic." in out.getvalue()
    assert weak in out.getvalue()
    assert status_of(agent, weak) == "active"


def test_a_job_forgets_and_tells_the_log(ada: Person, agent: Caller) -> None:
    weak = learned(ada, "Ada hummed a tune", importance=0.1)
    other = Person(caller=agent, user_id="bob")
    kept = learned(other, "Bob hummed a tune", importance=0.1)
    set_policy(agent, archive_below=0.2)
    answer = agent.client.post("/api/v1/forgetting/", {"user_id": "ada"}, format="json")
    assert answer.status_code == 202, answer.content
    with login("mneme_worker"):
        for job_id in open_forgetting():
            assert do_forgetting(job_id, clock=timezone.now)
    job = agent.client.get(f"/api/v1/jobs/{answer.json()['id']}/").json()
    assert (job["state"], job["result"]) == ("done", {"summarised": 0, "archived": 1, "deleted": 0})
    assert (status_of(agent, weak), status_of(agent, kept)) == ("archived", "active")


def test_only_a_key_of_the_tenant_with_the_ability_may(ada: Person, acme: Caller, agent: Caller) -> None:
    ada.say("hello")
    for path in ("forgetting/", "forgetting/preview/"):
        assert acme.client.post(f"/api/v1/{path}", {}, format="json").status_code == 403
        assert agent.client.post(f"/api/v1/{path}", {"user_id": "nobody"}, format="json").status_code == 404
        assert agent.client.post(f"/api/v1/{path}", {"users": "ada"}, format="json").status_code == 400
    with open_scope(agent.scope):
        subject = Memory.objects.select_related("subject").get().subject
    own = agent.holding(subject=subject, abilities=[Ability.CONSOLIDATE, Ability.MEMORIES_READ])
    for path in ("forgetting/", "forgetting/preview/"):
        assert own.client.post(f"/api/v1/{path}", {}, format="json").status_code == 403


def test_a_preview_tells_nothing_of_compartments_that_the_key_lacks(agent: Caller) -> None:
    doctor = agent.holding("doctor", abilities=[Ability.MEMORIES_READ, Ability.MEMORIES_WRITE, Ability.CONSOLIDATE])
    body = {"user_id": "ada", "text": "Ada coughed", "importance": 0.1, "compartments": ["doctor"]}
    secret = doctor.client.post("/api/v1/memories/", body, format="json").json()["id"]
    set_policy(agent, archive_below=0.2)
    assert agent.client.post("/api/v1/forgetting/preview/", {}, format="json").json()["archive"]["memories"] == 0
    assert doctor.client.post("/api/v1/forgetting/preview/", {}, format="json").json()["archive"]["memories"] == 1
    with login("mneme_worker"):
        assert forget(agent.key.tenant_id, clock=timezone.now).archived == 1
    assert status_of(doctor, secret) == "archived"


def test_nothing_is_deleted_unless_the_policy_says_so_and_then_in_the_engine_too(
    ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None], forget_in: Forget
) -> None:
    said = ada.say(SAID)
    sleep()
    drain()
    assert forget_in(310).archived == 1
    assert forget_in(9_000).deleted == 0
    set_policy(ada.caller, delete_after_days=30)
    assert forget_in(330).deleted == 0
    assert forget_in(345).deleted == 1
    drain()
    assert ada.caller.client.get(f"/api/v1/memories/{said['memory_id']}/").status_code == 404
    assert ada.caller.recall("the blue folder", user_id="ada", include_archived=True)["results"] == []
    with open_scope(ada.caller.scope):
        assert Turn.objects.get(id=said["turn_id"]).content == SAID


def test_never_what_is_on_hold_or_what_a_believed_memory_rests_on(
    ada: Person, forget_in: Forget, superuser_dsn: str
) -> None:
    parent = learned(ada, "Ada said the shed is at the river", importance=0.1)
    child = learned(ada, "The shed is at the river", importance=0.9, parent_ids=[parent])
    held = learned(ada, "Ada signed the contract on Monday", importance=0.1)
    gone = learned(ada, "Ada hummed a tune", importance=0.1)
    set_policy(ada.caller, delete_after_days=1)
    assert forget_in(3_000).archived == 3
    as_superuser(superuser_dsn, "UPDATE memories_memory SET on_hold = true WHERE id = %s", UUID(held))
    assert forget_in(6_000).deleted == 1
    assert [status_of(ada.caller, one) for one in (parent, child, held)] == ["archived", "active", "archived"]
    assert ada.caller.client.get(f"/api/v1/memories/{gone}/").status_code == 404
    with login("mneme_worker"), open_eraser():  # the database itself says no
        assert not Memory.objects.filter(id__in=[parent, child, held]).exists()


def test_what_was_superseded_by_it_goes_along_unless_it_is_on_hold(
    ada: Person, forget_in: Forget, superuser_dsn: str
) -> None:
    first = learned(ada, "Ada drinks tea", importance=0.1)
    second = learned(ada, "Ada drinks coffee", importance=0.1, supersedes_id=first)
    set_policy(ada.caller, delete_after_days=1)
    assert forget_in(3_000).archived == 1
    as_superuser(superuser_dsn, "UPDATE memories_memory SET on_hold = true WHERE id = %s", UUID(first))
    assert forget_in(6_000).deleted == 0
    as_superuser(superuser_dsn, "UPDATE memories_memory SET on_hold = false WHERE id = %s", UUID(first))
    assert forget_in(6_000).deleted == 1
    assert {ada.caller.client.get(f"/api/v1/memories/{one}/").status_code for one in (first, second)} == {404}


def test_a_recall_among_the_archived_puts_the_deletion_off(
    ada: Person, forget_in: Forget, superuser_dsn: str
) -> None:
    memory_id = learned(ada, "Ada hummed a tune", importance=0.1)
    set_policy(ada.caller, archive_below=0.2, delete_after_days=30)
    assert forget_in(0).archived == 1
    (hit,) = ada.caller.recall("tune", user_id="ada", include_archived=True)["results"]
    assert hit["memory_id"] == memory_id
    later = "UPDATE memories_memoryuse SET last_recalled_at = now() + interval '10 days' WHERE memory_id = %s"
    as_superuser(superuser_dsn, later, UUID(memory_id))
    assert forget_in(35).deleted == 0
    assert forget_in(41).deleted == 1


def test_the_quiet_hour_begins_one_job_a_night_and_catches_up(agent: Caller) -> None:
    now = timezone.now().replace(hour=4, minute=5)
    with login("mneme_worker"):
        assert len(begin_nightly(now=now)) == 1
        assert begin_nightly(now=now + timedelta(hours=22)) == []
        assert len(begin_nightly(now=now + timedelta(hours=23))) == 1
        assert len(begin_nightly(now=now + timedelta(days=3))) == 1
    assert last_quiet_hour(3, now=datetime(2026, 1, 1, 2, 59, tzinfo=now.tzinfo)).day == 31


def test_a_fact_stands_when_the_episode_it_was_read_in_is_archived_and_deleted(
    ada: Person, sleep: Callable[[], Worked], forget_in: Forget
) -> None:
    ada.say("I live in Leeds.")
    sleep()
    (fact,) = ada.facts()
    set_policy(ada.caller, delete_after_days=1)
    assert forget_in(310).archived == 1
    assert forget_in(320).deleted == 1
    assert ada.texts() == ["The user lives in Leeds"]
    (step,) = ada.caller.client.get(f"/api/v1/memories/{fact['id']}/source/").json()["sources"]
    assert (step["turn"]["text"], step["intact"]) == ("I live in Leeds", True)


def test_tiers_and_the_metric_of_growth(ada: Person) -> None:
    hot = learned(ada, "Ada sings in the choir")
    with open_scope(ada.caller.scope):
        later = timezone.now() + timedelta(days=400)
        assert tiers_of([UUID(hot)], DEFAULT, at=timezone.now()) == {UUID(hot): "hot"}
        assert tiers_of([UUID(hot)], DEFAULT, at=later) == {UUID(hot): "warm"}
        assert tiers_of([], DEFAULT, at=later) == {}


def test_what_rested_on_a_retracted_turn_is_neither_recalled_nor_restored_when_it_was_archived(
    ada: Person, sleep: Callable[[], Worked], forget_in: Forget
) -> None:
    said = ada.say("The blue folder is in the cupboard next to the kitchen window.")
    fact = learned(ada, "The blue folder is in the cupboard", importance=0.1, sources=[{"turn_id": said["turn_id"]}])
    set_policy(ada.caller, archive_below=0.2)
    assert forget_in(0).archived == 1
    found = ada.caller.recall("blue folder", user_id="ada", include_archived=True, memory_types=["semantic"])
    assert [hit["memory_id"] for hit in found["results"]] == [fact]
    assert ada.caller.client.delete(f"/api/v1/memories/{said['memory_id']}/").status_code == 204
    found = ada.caller.recall("blue folder", user_id="ada", include_archived=True)
    assert found["results"] == []
    assert ada.caller.client.post(f"/api/v1/memories/{fact}/restore/", {}, format="json").status_code == 409


def test_a_job_that_runs_out_of_time_goes_on_with_the_next_user(ada: Person, agent: Caller) -> None:
    people = [Person(caller=agent, user_id=f"u{number}") for number in range(3)]
    for person in people:
        learned(person, "Somebody hummed a tune", importance=0.1)
    set_policy(agent, archive_below=0.2)
    answer = agent.client.post("/api/v1/forgetting/", {}, format="json")
    calls = 0
    with login("mneme_worker"):
        (job_id,) = open_forgetting()
        while not do_forgetting(job_id, clock=timezone.now, until=0.0):
            calls += 1
            job = agent.client.get(f"/api/v1/jobs/{job_id}/").json()
            assert (job["state"], job["result"]["archived"]) == ("running", calls)
    assert calls == 2
    job = agent.client.get(f"/api/v1/jobs/{answer.json()['id']}/").json()
    assert (job["state"], job["result"]) == ("done", {"summarised": 0, "archived": 3, "deleted": 0})


def test_two_workers_at_a_time_forget_each_memory_once(ada: Person) -> None:
    for number in range(30):
        learned(ada, f"Ada hummed tune number {number}", importance=0.1)
    set_policy(ada.caller, archive_below=0.2)
    archived: list[int] = []
    with login("mneme_worker"):
        tenant_id = ada.caller.key.tenant_id
        in_threads(lambda: archived.append(forget(tenant_id, clock=timezone.now).archived))
    assert sum(archived) == 30
    assert len(ada.texts(status="archived")) == 30
