"""Saying it again does not make it more: what is stored grows with what is true, not with what is said."""

from collections.abc import Callable

import psycopg
import pytest
from django.utils import timezone

from consolidation.services.work import Worked
from memories.services.engine import search_engine
from memories.services.erase import erase_step, open_jobs
from tests.conftest import Caller, login
from tests.consolidation.conftest import Person
from tests.plugin import DATABASE


def batch(caller: Caller, turns: list[dict[str, object]]) -> None:
    answer = caller.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json")
    assert answer.status_code == 201, answer.content


def test_the_same_said_in_forty_sessions_is_one_fact_said_forty_times(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    batch(
        ada.caller,
        [
            {
                "user_id": "ada",
                "session_id": f"s{number}",
                "agent_id": f"agent{number % 3}",
                "content": "I'm allergic to peanuts.",
            }
            for number in range(40)
        ],
    )
    assert sleep().counts == {"added": 1, "repeated": 39}
    (fact,) = ada.facts()
    assert fact["frequency"] == 40


def test_an_agent_that_echoes_what_it_recalled_adds_nothing(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I live in Leeds and I like jazz.")
    sleep()
    known = ada.texts()
    for day in range(10):
        recalled = ada.caller.recall(
            "What do we know about the user?", user_id="ada", memory_types=["semantic", "episodic"], top_k=5
        )["results"]
        block = "\n".join(f"> {hit['text'][:200]}" for hit in recalled)
        ada.say(f"Known about the user:\n{block}", role="assistant", session_id=f"day{day}")
        ada.say(f"{block}\nThanks, what else is new?", session_id=f"day{day}")
        sleep()
    assert ada.texts() == known
    assert {fact["frequency"] for fact in ada.facts()} == {1}


@pytest.mark.parametrize("words", ["The user lives in Leeds", "the  user LIVES in leeds"])
def test_a_fact_that_a_caller_wrote_in_the_same_words_is_repeated(
    ada: Person, sleep: Callable[[], Worked], words: str
) -> None:
    body = {"user_id": "ada", "text": words, "slot": "residence"}
    assert ada.caller.client.post("/api/v1/memories/", body, format="json").status_code == 201
    ada.say("I live in Leeds.")
    assert sleep().counts == {"repeated": 1}
    assert len(ada.texts()) == 1


def test_two_speakers_in_one_conversation_keep_their_facts_apart(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I live in Leeds.", speaker="Ada")
    ada.say("I live in Hull.", speaker="Bob")
    ada.say("I moved to York.", speaker="Bob")
    assert sleep().counts == {"added": 2, "superseded": 1}
    assert sorted(ada.texts()) == ["Ada lives in Leeds", "Bob lives in York"]
    assert ada.texts(status="superseded") == ["Bob lives in Hull"]


def test_a_retracted_turn_takes_its_fact_along_and_what_was_superseded_is_believed_again(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    ada.say("I live in Leeds.", occurred_at="2026-01-01T00:00:00Z")
    wrong = ada.say("I moved to York.", occurred_at="2026-02-01T00:00:00Z")
    sleep()
    assert ada.texts() == ["The user lives in York"]
    assert ada.caller.client.delete(f"/api/v1/memories/{wrong['memory_id']}/").status_code == 204
    assert ada.texts() == ["The user lives in Leeds"]
    assert sleep().runs == 0


def test_erasing_a_user_leaves_no_run_decision_or_review(
    ada: Person, sleep: Callable[[], Worked], superuser_dsn: str
) -> None:
    ada.say("I live in Leeds.")
    ada.say("I think I live in York.")
    sleep()
    tables = ("consolidation_run", "consolidation_decision", "consolidation_reviewitem")

    def left() -> list[int]:
        with psycopg.connect(superuser_dsn, dbname=DATABASE) as server:
            return [server.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in tables]

    assert min(left()) > 0
    (subject,) = ada.caller.client.get("/api/v1/subjects/", {"user_id": "ada"}).json()["results"]
    assert ada.caller.client.post(f"/api/v1/subjects/{subject['id']}/erase/", {}, format="json").status_code == 202
    with login("mneme_worker"):
        for job_id in open_jobs():
            erase_step(job_id, engine=search_engine(), now=timezone.now())
    assert left() == [0, 0, 0]
