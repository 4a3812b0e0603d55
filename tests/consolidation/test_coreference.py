"""Whom "she" and "it" mean, where it is plain; and nothing about the speaker from what is said of somebody else."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from consolidation.rules.candidate import SAYS
from consolidation.rules.extract import extract
from consolidation.services.work import Worked
from tests.consolidation.conftest import Person
from tests.consolidation.test_night import read_night

SAID_AT = datetime(2026, 11, 30, tzinfo=UTC)


def read(content: str) -> list[str]:
    """Return what the rules read; a sentence kept as it was said says by itself whom it is about."""
    found = extract(content, said_at=SAID_AT).candidates
    return [candidate.text for candidate in found if candidate.predicate != SAYS]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("My sister Anna lives in Leeds. She works at Shell.",
         ["The user's sister Anna lives in Leeds", "The user's sister Anna works at Shell"]),
        ("My wife works for Acme. She's allergic to nuts.", ["The user's wife works for Acme", "The user's wife is allergic to nuts"]),
        ("My sister Anna lives in Leeds. Her birthday is 3 May.",
         ["The user's sister Anna lives in Leeds", "The user's sister's birthday is 3 May"]),
        ("I have a dog called Rex. He is three years old.", ["The user has a dog called Rex", "The user's dog Rex is three years old"]),
        ("I have a daughter and a son. He is 7.", ["The user has a daughter and a son"]),
        ("My dad is 70. He has diabetes.", ["The user's dad is 70", "The user's dad has diabetes"]),
        ("I bought a new laptop. It runs Linux.", ["The user bought a new laptop", "The user's laptop runs Linux"]),
        ("我女儿叫小雨。她今年7岁。", ["用户的女儿叫小雨", "用户的女儿7岁"]),
        ("我老婆是老师。她对花生过敏。", ["用户的老婆是老师", "用户的老婆对花生过敏"]),
        ("我养了一只猫。它今年3岁。", ["用户养了一只猫", "用户的猫3岁"]),
    ],
)  # fmt: skip
def test_one_possibility_is_meant(content: str, texts: list[str]) -> None:
    assert read(content) == texts


@pytest.mark.parametrize(
    "content",
    [
        "She works at Shell.",
        "My boss is nice. She lives in Leeds and is allergic to nuts.",
        "My friend Tom is here. He is allergic to nuts.",
        "Tom is my colleague. He works at Shell. He is 7.",
        "My sister and my mother came. She is allergic to nuts.",
        "My sister Anna met Tom. He is allergic to nuts.",
        "My sister Anna met Tom. She is allergic to nuts.",
        "My sister's husband came. He is allergic to nuts.",
        'My dad said "my son is ill". He has diabetes.',
        "Maria and my sister came. She is allergic to nuts.",
        "他住在上海",
        "我朋友住在北京。他对花生过敏。",
        "我老婆和我妈妈都在上海。她对花生过敏。",
        "我昨天跟我妹妹见了小王。她对花生过敏。",
    ],
)
def test_where_it_is_not_plain_nothing_is_read(content: str) -> None:
    assert read(content) == []


@pytest.mark.parametrize(
    "content",
    [
        "I live in York. My sister Anna works at Shell. She lives in Leeds. She hates tea. Her name is Anna.",
        "I live in York. My brother Ben lives in Leeds. My boss said no. He works at Shell. He moved to Paris.",
        "我住在约克。我妹妹在上海工作。她住在上海。她喜欢画画。她对花生过敏。",
    ],
)
def test_nothing_of_somebody_else_is_about_the_speaker(content: str) -> None:
    own = [
        one for one in extract(content, said_at=SAID_AT).candidates if one.slot in {"residence", "employer", "name"}
    ]
    assert [one.text for one in own] == [own[0].text]
    assert own[0].text in {"The user lives in York", "用户住在约克"}
    others = [text for text in read(content) if text != own[0].text]
    assert all("sister" in text or "brother" in text or "妹妹" in text for text in others)


def test_it_is_stored_as_a_fact_of_the_family_with_the_words_of_its_own(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    ada.say("I live in York. My sister Anna lives in Leeds. She works at Shell.")
    sleep()
    assert ada.texts() == [
        "The user lives in York",
        "The user's sister Anna lives in Leeds",
        "The user's sister Anna works at Shell",
    ]
    (decision,) = [one for one in ada.decisions(verdict="added") if one["memory_id"] == ada.facts()[2]["id"]]
    said = "I live in York. My sister Anna lives in Leeds. She works at Shell."
    assert said[decision["start"] : decision["end"]] == "She works at Shell"
    assert ada.get("relations/") == [] or all(
        one["predicate"] != "works_for" for one in ada.get("relations/")
    )  # Shell employs her, not the user
    (hit,) = ada.caller.recall("Where does Anna work?", user_id="ada", memory_types=["semantic"], top_k=1)["results"]
    assert hit["text"] == "The user's sister Anna works at Shell"


def test_the_turn_before_tells_who_is_meant_in_the_night(ada: Person, sleep: Callable[[], Worked]) -> None:
    first = ada.say("My sister Anna lives in Leeds.")
    second = ada.say("She works at Shell.")
    sleep()
    assert ada.texts() == ["The user's sister Anna lives in Leeds"]
    assert read_night() == 1
    assert ada.texts() == ["The user's sister Anna lives in Leeds", "The user's sister Anna works at Shell"]
    fact = ada.facts()[1]
    source = ada.caller.client.get(f"/api/v1/memories/{fact['id']}/source/").json()
    assert {step["turn"]["turn_id"] for step in source["sources"]} == {first["turn_id"], second["turn_id"]}
