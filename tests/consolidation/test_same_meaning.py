"""What is known and said in other words is one memory, said twice; what only sounds alike stays two."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from consolidation.services.rebuild_marked import rebuild_marked
from consolidation.services.work import Worked
from memories.models import Source
from memories.services.engine import search_engine
from tenants.services.open_scope import open_scope
from tests.conftest import Caller, login
from tests.consolidation.conftest import Person
from tests.consolidation.test_derived import revert

SAID_TWICE = [
    ("I love hiking.", "I'm a big fan of hikes.", "The user loves hiking"),
    ("I'm allergic to peanuts.", "I have a peanut allergy.", "The user is allergic to peanuts"),
    ("I like movies.", "I enjoy films.", "The user likes movies"),
    ("I live in a flat in Leeds.", "I live in an apartment in Leeds.", "The user lives in a flat in Leeds"),
    ("I have two kids.", "I have two children.", "The user has two kids"),
    ("我喜欢看电影", "我喜欢看影片", "用户喜欢看电影"),
    ("我讨厌西红柿", "我不喜欢番茄", "用户讨厌西红柿"),
]


@pytest.mark.parametrize(("first", "then", "text"), SAID_TWICE)
@pytest.mark.parametrize("shown", [False, True])
def test_said_otherwise_it_is_one_memory_with_both_sources(
    ada: Person,
    sleep: Callable[[], Worked],
    drain: Callable[[], None],
    first: str,
    then: str,
    text: str,
    shown: bool,
) -> None:
    one = ada.say(first)
    sleep()
    if shown:
        drain()  # the engine has the fact; else only the record knows it
    other = ada.say(then)
    assert sleep().counts == {"repeated": 1}
    (fact,) = ada.facts()
    assert (fact["text"], fact["frequency"]) == (text, 2)
    decision = ada.decisions(verdict="repeated")[-1]
    assert (decision["why"], decision["memory_id"], decision["met_id"]) == ("same_meaning", fact["id"], fact["id"])
    with open_scope(ada.caller.system):
        turns = set(Source.objects.filter(memory_id=fact["id"]).values_list("turn_id", flat=True))
    assert {str(turn) for turn in turns} == {one["turn_id"], other["turn_id"]}
    found = ada.caller.recall(then, user_id="ada", memory_types=["semantic"])["results"]
    assert [hit["text"] for hit in found] == [text]


def test_it_is_so_on_each_engine(
    each_engine: str, ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None]
) -> None:
    for words in ("I love hiking.", "I like green tea.", "我讨厌西红柿"):
        ada.say(words, session_id=words)
    sleep()
    drain()
    for words in ("I'm a big fan of hikes.", "I like black tea.", "我不喜欢番茄"):
        ada.say(words, session_id=words)
    assert sleep().counts == {"added": 1, "repeated": 2}
    assert sorted(fact["frequency"] for fact in ada.facts()) == [1, 1, 2, 2]
    with login("mneme_worker"):
        own = [
            one for one in search_engine().credentials() if one.reach is not None and one.reach.kinds == ("semantic",)
        ]
    assert own == []


def test_in_one_pass_the_second_meets_the_first(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I love hiking.")
    ada.say("I'm a big fan of hikes.")
    ada.say("I adore hikes.")
    assert sleep().counts == {"added": 1, "repeated": 2}
    assert [fact["frequency"] for fact in ada.facts()] == [3]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I like green tea.", "I like black tea."),
        ("I take 5 mg of lisinopril every day.", "I take 10 mg of lisinopril every day."),
        ("I like fish.", "I like fishing."),
        ("I have a dog called Rex.", "I have a dog called Max."),
        ("I'm allergic to peanuts.", "I'm allergic to pine nuts."),
        ("我喜欢绿茶", "我喜欢红茶"),
    ],
)
def test_what_only_sounds_alike_stays_two(
    ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None], first: str, then: str
) -> None:
    ada.say(first)
    sleep()
    drain()
    ada.say(then)
    assert sleep().counts == {"added": 1}
    assert [fact["frequency"] for fact in ada.facts()] == [1, 1]


def test_the_contrary_still_takes_the_place(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I like movies.")
    sleep()
    ada.say("I hate movies.")
    sleep()
    assert ada.texts() == ["The user hates movies"]
    assert ada.texts(status="superseded") == ["The user likes movies"]


def test_what_a_caller_wrote_is_met_by_meaning(ada: Person, sleep: Callable[[], Worked]) -> None:
    body = {"user_id": "ada", "text": "The user enjoys films", "memory_type": "semantic"}
    written = ada.caller.client.post("/api/v1/memories/", body, format="json")
    assert written.status_code == 201, written.content
    ada.say("I like movies.")
    assert sleep().counts == {"repeated": 1}
    assert [(fact["text"], fact["frequency"]) for fact in ada.facts()] == [("The user enjoys films", 2)]


def test_another_users_and_another_tenants_facts_are_never_met(
    ada: Person, globex: Caller, sleep: Callable[[], Worked], drain: Callable[[], None]
) -> None:
    bob = Person(caller=ada.caller, user_id="bob")
    stranger = Person(caller=globex, user_id="ada")
    for person in (bob, stranger):
        person.say("I like movies.")
    sleep()
    drain()
    ada.say("I enjoy films.")
    assert sleep().counts == {"added": 1}
    assert [fact["frequency"] for person in (bob, stranger) for fact in person.facts()] == [1, 1]


def test_what_is_in_other_compartments_is_not_met(
    ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None]
) -> None:
    doctor = Person(caller=ada.caller.holding("doctor"), user_id="ada")
    doctor.say("I like movies.", compartments=["doctor"])
    sleep()
    drain()
    ada.say("I enjoy films.")
    assert sleep().counts == {"added": 1}
    assert sorted(doctor.texts()) == ["The user likes films", "The user likes movies"]
    doctor.say("I love movies.", compartments=["doctor"], session_id="s2")
    doctor.say("I'm a fan of films.", compartments=["doctor"], session_id="s2")
    assert sleep().counts == {"repeated": 2}


def test_what_was_retracted_meanwhile_is_not_met(
    ada: Person, sleep: Callable[[], Worked], drain: Callable[[], None]
) -> None:
    ada.say("I like movies.")
    sleep()
    drain()  # from here on the engine is stale
    (fact,) = ada.facts()
    assert ada.caller.client.delete(f"/api/v1/memories/{fact['id']}/").status_code == 204
    ada.say("I enjoy films.")
    assert sleep().counts == {"added": 1}
    assert ada.texts() == ["The user likes films"]


@pytest.mark.parametrize("away", ["EMBEDDER", "SEARCH_URL"])
def test_without_embedder_or_engine_it_goes_on_by_slots_and_words(
    ada: Person, sleep: Callable[[], Worked], settings: Any, caplog: pytest.LogCaptureFixture, away: str
) -> None:
    ada.say("I like movies.")
    sleep()
    setattr(settings, away, "http://127.0.0.1:9/v1" if away == "EMBEDDER" else "http://127.0.0.1:9")  # nobody listens
    ada.say("I enjoy films.")
    ada.say("I like movies.")
    assert sleep().counts == {"added": 1, "repeated": 1}
    assert "goes on by slots and words alone: Unavailable" in caplog.text


def test_a_run_leaves_no_credential_behind(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I like movies.")
    ada.say("I enjoy films.")
    with login("mneme_worker"):
        before = {one.id for one in search_engine().credentials()}
    sleep()
    with login("mneme_worker"):
        assert {one.id for one in search_engine().credentials()} == before


def test_when_the_first_turn_is_reverted_the_second_carries_the_fact_in_its_own_words(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    first = ada.say("I like movies.")
    ada.say("I enjoy films.", session_id="s2")
    sleep()
    revert(ada, first)
    with login("mneme_worker"):
        assert dict(rebuild_marked(clock=timezone.now)) == {"rewritten": 1}
    assert [(fact["text"], fact["frequency"]) for fact in ada.facts()] == [("The user likes films", 1)]


def test_what_was_read_already_is_not_counted_again(ada: Person, sleep: Callable[[], Worked]) -> None:
    for words in ("I like movies.", "I enjoy films.", "I love movies."):
        ada.say(words, session_id=words)
    sleep()
    sleep()
    assert [fact["frequency"] for fact in ada.facts()] == [3]
