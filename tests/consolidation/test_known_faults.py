"""Faults that memory services are known for: two truths side by side, growth without news, lost dates and languages.

docs/known-faults.md says which report each one is about. What a user says goes through the API, the rules and recall.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person

Sleep = Callable[[], Worked]
Drain = Callable[[], None]


def moment(text: str) -> datetime:
    read = parse_datetime(text)
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("first", "then", "new", "old"),
    [
        ("I live in Paris.", "I live in Rome.", "Rome", "Paris"),
        ("I work for Siemens.", "I work for Bosch now.", "Bosch", "Siemens"),
        ("My budget is £400.", "My budget is £900.", "£900", "£400"),
        ("My email is a@one.example.", "My email is b@two.example now.", "b@two.example", "a@one.example"),
        ("我住在上海。", "我住在广州。", "广州", "上海"),
        ("我在华为工作。", "我现在在小米工作。", "小米", "华为"),
    ],
)
def test_what_takes_anothers_place_says_the_new_and_not_the_old(
    ada: Person, sleep: Sleep, drain: Drain, first: str, then: str, new: str, old: str
) -> None:
    """Neither says since when: what was said later counts."""
    ada.say(first)
    ada.say(then)
    sleep()
    (text,) = ada.texts()
    assert new in text
    assert old not in text
    drain()
    asking = {"user_id": "ada", "memory_types": ["semantic"]}
    now = [hit["text"] for hit in ada.caller.recall(first, **asking)["results"]]
    assert now == [text]
    ever = ada.caller.recall(first, include_superseded=True, **asking)["results"]
    assert {hit["text"]: hit["status"] for hit in ever}[text] == "active"
    assert sum(hit["status"] == "superseded" and old in hit["text"] for hit in ever) == 1


def test_the_opposite_is_recalled_as_what_it_is(ada: Person, sleep: Sleep, drain: Drain) -> None:
    ada.say("I love opera.")
    ada.say("I hate opera.")
    sleep()
    drain()
    asking = {"user_id": "ada", "memory_types": ["semantic"]}
    assert [hit["text"] for hit in ada.caller.recall("Does the user like opera?", **asking)["results"]] == [
        "The user hates opera"
    ]
    ever = ada.caller.recall("Does the user like opera?", include_superseded=True, **asking)["results"]
    assert {(hit["text"], hit["status"]) for hit in ever} == {
        ("The user hates opera", "active"),
        ("The user loves opera", "superseded"),
    }


@pytest.mark.parametrize(
    "again", ["I live in Leeds. " * 9, "I live in Leeds, yes, I live in Leeds.\nI live in Leeds!"]
)
def test_one_turn_that_says_a_thing_nine_times_makes_one_fact(ada: Person, sleep: Sleep, again: str) -> None:
    ada.say(again)
    sleep()
    (fact,) = ada.facts()
    assert (fact["text"], fact["frequency"]) == ("The user lives in Leeds", 1)


def test_every_way_in_meets_what_is_known(ada: Person, sleep: Sleep) -> None:
    ada.say("I live in Leeds.")
    sleep()
    post = ada.caller.client.post
    told = {"user_id": "ada", "content": "I live in Leeds.", "session_id": "other"}
    assert post("/api/v1/turns/batch/", {"turns": [told, told]}, format="json").status_code == 201
    fact = {"user_id": "ada", "text": "The user lives in Leeds", "slot": "residence"}
    assert post("/api/v1/memories/", fact, format="json").status_code in {200, 201}
    intent = {"user_id": "ada", "text": "Remember that I live in Leeds."}
    assert post("/api/v1/intents/", intent, format="json").status_code in {200, 201}
    sleep()
    (held,) = ada.facts()
    assert (held["text"], held["frequency"] >= 4) == ("The user lives in Leeds", True)


def test_a_month_of_beats_and_boot_prompts_stores_nothing(ada: Person, sleep: Sleep) -> None:
    ada.say("I live in Leeds.")
    sleep()
    boot = "You are a helpful assistant. The user's name is John Doe and he lives in New York."
    system = {"user_id": "ada", "session_id": "day0", "role": "system", "content": boot}
    assert ada.caller.client.post("/api/v1/turns/", system, format="json").json()["errors"][0]["field"] == "role"
    turns = []
    for day in range(30):
        for role, content in (
            ("tool", boot),
            ("tool", "HEARTBEAT_OK: the user works as a monitor"),
            ("assistant", "I suggest that you use Vim. You like Vim, you live in Hull."),
            ("user", "HEARTBEAT"),
            ("user", "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK."),
        ):
            turns.append({"user_id": "ada", "session_id": f"day{day}", "role": role, "content": content})
    answer = ada.caller.client.post("/api/v1/turns/batch/", {"turns": turns}, format="json")
    assert answer.status_code == 201, answer.content
    sleep()
    assert ada.texts() == ["The user lives in Leeds"]
    assert ada.texts(status="pending") == []


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("我住在成都。", ["用户住在成都"]),
        ("我对花生过敏。", ["用户对花生过敏"]),
        ("I live in Zürich.", ["The user lives in Zürich"]),
        ("My name is 周敏.", ["The user's name is 周敏"]),
        ("我喜欢 Taylor Swift。", ["用户喜欢Taylor Swift"]),
    ],
)
def test_a_fact_is_in_its_turns_language_and_names_stay_as_they_are(
    ada: Person, sleep: Sleep, said: str, texts: list[str]
) -> None:
    ada.say(said)
    sleep()
    assert ada.texts() == texts
    assert ada.facts()[0]["text"].isascii() == said.isascii()


def test_an_old_conversation_keeps_its_own_time(ada: Person, sleep: Sleep) -> None:
    begun = timezone.now()
    ada.say("I moved to York last week.", occurred_at="2019-05-09T10:00:00+02:00")
    ada.say("I like chess.", occurred_at="2019-05-09T10:01:00+02:00")
    sleep()
    moved, likes = ada.facts()
    assert moved["valid_from"].startswith(("2019-04-29", "2019-04-30", "2019-05-0"))
    assert moment(likes["valid_from"]) == moment("2019-05-09T08:01:00Z")
    for fact in (moved, likes):
        assert moment(fact["recorded_at"]) >= begun
        assert moment(fact["valid_from"]) < begun - timedelta(days=365)


def test_said_again_later_a_fact_keeps_its_beginning(ada: Person, sleep: Sleep) -> None:
    ada.say("I like chess.", occurred_at="2019-05-09T10:00:00Z")
    sleep()
    ada.say("I like chess.", occurred_at="2024-05-09T10:00:00Z")
    sleep()
    (fact,) = ada.facts()
    assert (moment(fact["valid_from"]), fact["frequency"]) == (moment("2019-05-09T10:00:00Z"), 2)


@pytest.mark.parametrize("words", ['I use the tag "</json>".', "I use ```make``` a lot.", 'I like {"a": 1} jokes.'])
def test_braces_fences_and_quotes_break_nothing(ada: Person, sleep: Sleep, drain: Drain, words: str) -> None:
    ada.say(words)
    ada.say("I live in Leeds.")
    assert sleep().failed == 0
    assert "The user lives in Leeds" in ada.texts()
    drain()
    assert words in [hit["text"] for hit in ada.caller.recall(words, user_id="ada")["results"]]


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\u3000"])
def test_a_blank_turn_is_refused(ada: Person, blank: str) -> None:
    answer = ada.caller.client.post(
        "/api/v1/turns/", {"user_id": "ada", "session_id": "s1", "content": blank}, format="json"
    )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "content"
