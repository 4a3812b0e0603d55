"""What lost evidence is derived anew from what is left: kept, said otherwise, dropped, or somebody is asked."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from consolidation.rules.extract import extract
from consolidation.services.forget import forget
from consolidation.services.marked import marked
from consolidation.services.rebuild import rebuild
from consolidation.services.rebuild_marked import rebuild_marked
from consolidation.services.work import Worked
from consolidation.tasks import run_task
from memories.models import Memory
from tenants.services.open_scope import open_scope
from tests.conftest import login
from tests.consolidation.conftest import Person
from tests.consolidation.test_derived import revert
from tests.consolidation.test_summaries import ENGLISH, talk
from tests.consolidation.test_trust import events, post, recalled

API = "/api/v1/"
ANSWER = "levothyroxine 75 every morning for the thyroid, thats it"


def rebuilt() -> dict[str, int]:
    with login("mneme_worker"):
        return dict(rebuild_marked(clock=timezone.now))


def marks(person: Person) -> int:
    with open_scope(person.caller.system):
        return Memory.objects.filter(rebuild_due_at__isnull=False).count()


def test_what_is_said_in_the_same_words_elsewhere_is_kept_and_counted_anew(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    turns = [ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(3)]
    sleep()
    assert [fact["frequency"] for fact in ada.facts()] == [3]
    assert recalled(ada, "Leeds", memory_types=["semantic"]) == ["The user lives in Leeds"]
    revert(ada, turns[0])
    assert recalled(ada, "Leeds", memory_types=["semantic"]) == []
    assert rebuilt() == {"kept": 1}
    assert recalled(ada, "Leeds", memory_types=["semantic"]) == ["The user lives in Leeds"]
    (fact,) = ada.facts()
    assert (fact["text"], fact["frequency"]) == ("The user lives in Leeds", 2)
    assert (rebuilt(), marks(ada)) == ({}, 0)
    assert events(ada, "memory.rebuilt") == [{"outcome": "kept"}]


def test_a_reverted_turn_is_named_as_evidence_nowhere(ada: Person, sleep: Callable[[], Worked]) -> None:
    first, second = (ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(2))
    sleep()
    asked = {"memory_types": ["semantic"], "include_kin": True}
    (hit,) = ada.caller.recall("Leeds", user_id="ada", **asked)["results"]
    assert hit["source"]["turn_id"] == second["turn_id"]
    revert(ada, second)
    rebuilt()
    (hit,) = ada.caller.recall("Leeds", user_id="ada", **asked)["results"]
    assert hit["source"]["turn_id"] == first["turn_id"]
    assert hit["kin"]["turns"] == [first["turn_id"]]
    (subject,) = ada.get("subjects/")
    groups = ada.caller.client.get(f"{API}subjects/{subject['id']}/profile/").json()["groups"]
    assert [fact["source_ids"] for fact in groups["identity"]] == [[first["turn_id"]]]


def test_it_is_trusted_as_what_is_left(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I live in Leeds.", trust="web")
    mine = ada.say("I live in Leeds.", session_id="s2")
    sleep()
    assert [fact["trust"] for fact in ada.facts()] == ["user"]
    revert(ada, mine)
    rebuilt()
    assert [(fact["trust"], fact["frequency"]) for fact in ada.facts()] == [("web", 1)]


def test_what_is_left_in_other_words_is_said_in_those(ada: Person, sleep: Callable[[], Worked]) -> None:
    precise = ada.say("I love tea.")
    sleep()
    (before,) = ada.facts()
    ada.say("I like tea.", session_id="s2")
    sleep()
    assert ada.texts() == [before["text"]]
    revert(ada, precise)
    assert rebuilt() == {"rewritten": 1}
    (after,) = ada.facts()
    assert after["text"] != before["text"]
    assert "tea" in after["text"]
    assert after["id"] != before["id"]
    chain = ada.caller.client.get(f"{API}memories/{after['id']}/history/").json()["versions"]
    assert [version["replaced_by_verb"] for version in chain] == ["correct", None]


def test_it_is_asked_about_where_nobody_can_tell(ada: Person, sleep: Callable[[], Worked]) -> None:
    one, other = ada.say("The hub is white."), ada.say("The hub is by the door.", session_id="s2")
    spans = [{"turn_id": turn["turn_id"]} for turn in (one, other)]
    fact = post(
        ada.caller, "memories/", {"user_id": "ada", "text": "A white hub by the door", "sources": spans}
    ).json()
    revert(ada, one)
    assert rebuilt() == {"unsure": 1}
    (review,) = ada.get("reviews/", state="open")
    assert (review["kind"], review["memory_id"], review["turn_id"]) == ("rebuild", fact["id"], other["turn_id"])
    assert ada.texts() == ["A white hub by the door"]
    answer = post(ada.caller, f"reviews/{review['id']}/accept/", {"text": "A hub by the door"})
    assert answer.status_code == 200, answer.content
    assert ada.texts() == ["A hub by the door"]


def test_what_is_rejected_then_is_retracted(ada: Person, sleep: Callable[[], Worked]) -> None:
    parents = [
        post(ada.caller, "memories/", {"user_id": "ada", "text": f"Premise {number}"}).json() for number in (1, 2)
    ]
    told = {"user_id": "ada", "text": "A conclusion", "parent_ids": [parent["id"] for parent in parents]}
    post(ada.caller, "memories/", told)
    assert ada.caller.client.delete(f"{API}memories/{parents[0]['id']}/").status_code == 204
    assert rebuilt() == {"unsure": 1}
    (review,) = ada.get("reviews/", state="open")
    assert (review["turn_id"], review["said"]) == (None, None)
    assert post(ada.caller, f"reviews/{review['id']}/reject/").json()["state"] == "rejected"
    assert ada.texts() == ["Premise 2"]


def test_what_all_users_share_is_rebuilt_too(ada: Person) -> None:
    parents = [post(ada.caller, "memories/", {"text": f"Premise {number}"}).json() for number in (1, 2)]
    told = {"text": "A conclusion", "parent_ids": [parent["id"] for parent in parents]}
    shared = post(ada.caller, "memories/", told).json()
    ada.caller.client.delete(f"{API}memories/{parents[0]['id']}/")
    assert rebuilt() == {"unsure": 1}
    reviews = ada.caller.client.get(f"{API}reviews/").json()["results"]
    assert [(review["memory_id"], review["user_id"]) for review in reviews] == [(shared["id"], None)]


def test_a_playbook_whose_steps_are_gone_is_dropped(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("My lamp hub keeps dropping the lamps off the network.")
    answer = ada.say("1. Hold the button for ten seconds\n2. Pair the lamps again", role="assistant")
    ada.say("That worked, thanks!")
    sleep()
    assert len(ada.get("memories/", memory_type="procedural", status="active")) == 1
    revert(ada, answer)
    assert rebuilt() == {"dropped": 1}
    assert ada.get("memories/", memory_type="procedural", status="active") == []


def test_what_lost_all_meanwhile_is_dropped_with_what_rests_on_it(ada: Person, sleep: Callable[[], Worked]) -> None:
    turns = [ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(2)]
    sleep()
    (fact,) = ada.facts()
    post(ada.caller, "memories/", {"user_id": "ada", "text": "Ada votes in Leeds", "parent_ids": [fact["id"]]})
    for turn in turns:
        revert(ada, turn)
    assert (rebuilt(), ada.texts()) == ({}, [])


def test_two_workers_rebuild_a_memory_once(ada: Person, sleep: Callable[[], Worked]) -> None:
    turns = [ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(2)]
    sleep()
    revert(ada, turns[0])
    with login("mneme_worker"):
        (one,) = marked()

        def work(_: int) -> Any:
            try:
                return rebuild(one, now=timezone.now())
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(work, range(4)))
    assert sorted(map(str, done)) == ["None", "None", "None", "kept"]
    assert len(events(ada, "memory.rebuilt")) == 1


def test_a_worker_that_dies_leaves_the_mark(
    ada: Person, sleep: Callable[[], Worked], monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(2)]
    sleep()
    revert(ada, turns[0])

    class Killed(BaseException):
        pass

    def killed(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr("consolidation.services.rebuild.note_event", killed)
        rebuilt()
    assert marks(ada) == 1
    assert [fact["frequency"] for fact in ada.facts()] == [2]
    assert rebuilt() == {"kept": 1}


def test_the_workers_task_and_the_command_do_it(
    ada: Person, sleep: Callable[[], Worked], capsys: pytest.CaptureFixture[str]
) -> None:
    turns = [ada.say("I live in Leeds.", session_id=f"s{number}") for number in range(3)]
    sleep()
    revert(ada, turns[0])
    with login("mneme_worker"):
        run_task()
    assert marks(ada) == 0
    revert(ada, turns[1])
    with login("mneme_worker"):
        call_command("consolidate", tenant="acme")
    assert "had lost evidence: 1 kept" in capsys.readouterr().out


def test_a_summary_is_put_together_anew_without_what_was_reverted(ada: Person, sleep: Callable[[], Worked]) -> None:
    said = talk(ada, ENGLISH)
    sleep()
    with login("mneme_worker"):
        forget(ada.caller.key.tenant_id, clock=lambda: timezone.now() + timedelta(days=300))
    (summary,) = ada.facts(category="summary")
    assert "14200" in summary["text"]
    (cost,) = [turn for turn, words in zip(said, ENGLISH, strict=True) if "14200" in words]
    receipt = revert(ada, cost)
    assert rebuilt() == {"summarised": 1}
    (again,) = ada.facts(category="summary")
    assert "14200" not in again["text"]
    restore = f"memories/{cost['memory_id']}/restore/"
    assert post(ada.caller, restore).status_code == 409
    assert post(ada.caller, f"reverts/{receipt['id']}/undo/").status_code == 200
    assert post(ada.caller, restore).status_code == 201


def test_what_was_kept_since_it_answered_supports_itself(ada: Person, sleep: Callable[[], Worked]) -> None:
    turns = []
    for session in ("s1", "s2"):
        ada.say("And what medication do you take?", role="assistant", session_id=session)
        turns.append(ada.say(ANSWER, session_id=session))
    sleep()
    (kept,) = [fact for fact in ada.facts() if "levothyroxine" in fact["text"]]
    assert kept["frequency"] == 2
    assert extract(ANSWER, said_at=timezone.now()).candidates == ()
    revert(ada, turns[0])
    assert rebuilt() == {"kept": 1}
    assert ada.get("reviews/", state="open") == []
    (kept,) = [fact for fact in ada.facts() if "levothyroxine" in fact["text"]]
    assert kept["frequency"] == 1


def test_the_rest_of_a_saying_stays_as_long_as_a_turn_says_it(ada: Person, sleep: Callable[[], Worked]) -> None:
    old = "有啊,鸡蛋过敏,湿疹老是反复,现在抹丁酸氢化可的松,一天两次"
    first, _ = (ada.say(old, session_id=session) for session in ("s1", "s2"))
    sleep()
    ada.say("今天复诊,丁酸氢化可的松停了,换成他克莫司,睡前抹一次", session_id="s3")
    sleep()
    before = ada.texts()
    assert any("鸡蛋过敏" in text and "丁酸" not in text for text in before)
    revert(ada, first)
    rebuilt()
    assert ada.texts() == before
    assert ada.get("reviews/", state="open") == []
