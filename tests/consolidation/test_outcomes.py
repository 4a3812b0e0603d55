"""A playbook learns from what users say of it; the hub was reset twice in vain."""

from collections.abc import Callable
from typing import Any

from consolidation.services.work import Worked
from tests.conftest import Caller
from tests.consolidation.conftest import Person

TRIGGER = "The smart bulb only shows white"
STEPS = ["Reset the hub", "Pair the bulb again"]


def playbook(caller: Caller, **fields: Any) -> str:
    body = {"trigger": TRIGGER, "steps": STEPS, **fields}
    answer = caller.client.post("/api/v1/procedures/", body, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def counts(caller: Caller, memory_id: str) -> tuple[int, int]:
    answer = caller.client.get(f"/api/v1/procedures/{memory_id}/").json()
    return answer["success_count"], answer["failure_count"]


def test_the_hub_was_reset_twice_in_vain(ada: Person, sleep: Callable[[], Worked]) -> None:
    known = playbook(ada.caller, user_id="ada")
    for day, session in (("2026-03-02", "march"), ("2026-06-01", "june")):
        at = f"{day}T10:00:0"
        ada.say("My smart bulb only shows white.", session_id=session, occurred_at=f"{at}1Z")
        ada.say(
            "Please reset the hub, then pair the bulb again.",
            session_id=session,
            role="assistant",
            occurred_at=f"{at}2Z",
        )
        ada.say("I reset the hub, but it still only shows white.", session_id=session, occurred_at=f"{at}3Z")
    sleep()
    assert counts(ada.caller, known) == (0, 2)
    outcomes = ada.decisions(verdict="outcome")
    assert [(one["why"], one["memory_id"]) for one in outcomes] == [("failure", known)] * 2
    assert "The user reset the hub" in ada.texts()


def test_what_worked_instead_becomes_the_next_revision(ada: Person, sleep: Callable[[], Worked]) -> None:
    known = playbook(ada.caller, user_id="ada")
    ada.say("The smart bulb only shows white again.")
    ada.say("Try to reset the hub and pair the bulb again.", role="assistant")
    said = ada.say("Resetting the hub didn't help. What worked was moving the hub away from the router.")
    sleep()
    (revision,) = ada.get("procedures/")
    assert revision["id"] != known
    assert revision["revision"] == 2
    assert revision["steps"] == ["Pair the bulb again", "Moving the hub away from the router"]
    assert counts(ada.caller, known) == (0, 1)
    steps = ada.caller.client.get(f"/api/v1/memories/{revision['id']}/source/").json()["sources"]
    assert said["turn_id"] in [step["turn"]["turn_id"] for step in steps if step["turn"]]


def test_steps_that_worked_become_a_playbook_and_the_answer_is_its_evidence(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    ada.say("打印机连不上无线网络")
    told = ada.say("请这样做：\n1. 重启打印机\n2. 删除旧的网络\n3. 重新输入密码", role="assistant")
    ada.say("太好了，解决了！")
    sleep()
    (made,) = ada.get("procedures/")
    assert made["trigger"] == "打印机连不上无线网络"
    assert made["steps"] == ["重启打印机", "删除旧的网络", "重新输入密码"]
    assert (made["success_count"], made["failure_count"]) == (1, 0)
    steps = ada.caller.client.get(f"/api/v1/memories/{made['id']}/source/").json()["sources"]
    assert told["turn_id"] in [step["turn"]["turn_id"] for step in steps if step["turn"]]
    assert ada.texts() == []


def test_a_shared_playbook_is_counted_and_never_changed_by_one_users_words(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    known = playbook(ada.caller)
    ada.say(
        "My smart bulb only shows white, I did reset the hub and pair the bulb again, no luck. What worked was tea."
    )
    sleep()
    assert counts(ada.caller, known) == (0, 1)
    assert [one["id"] for one in ada.get("procedures/")] == [known]


def test_no_outcome_without_a_playbook_in_play(ada: Person, sleep: Callable[[], Worked]) -> None:
    known = playbook(ada.caller, user_id="ada")
    ada.say("That worked, thanks!", session_id="other")
    ada.say("Did resetting the hub work for the smart bulb that only shows white?", session_id="asks")
    ada.say("If it still shows only white I will reset the hub.", session_id="supposes")
    sleep()
    assert counts(ada.caller, known) == (0, 0)
