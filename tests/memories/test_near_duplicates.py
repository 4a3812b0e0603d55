"""What says the same in the same words is answered once; what differs in a number, a name or a not is two."""

from collections.abc import Callable

import pytest

from memories.near_duplicates import parts_of, same_as, turns_behind
from tests.conftest import Caller


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea.", "i like TEA"),
        ("I like tea!", "I  like\ntea"),
        ("我喜欢茶。", "我喜欢茶"),
        ("Ｔｅａ", "tea"),
    ],
)
def test_the_same_in_other_dress(one: str, other: str) -> None:
    assert same_as([("a", "semantic", one), ("b", "semantic", other)]) == {"b": "a"}


def test_a_short_turn_stands_for_the_saying_that_is_a_sentence_of_it() -> None:
    short = ("turn", "episodic", "Oh, I keep the spare key with Ines!")
    long = ("long", "episodic", "I keep the spare key with Ines. " + "We talked about the weather for an hour. " * 12)
    saying = ("saying", "semantic", "The user said: I keep the spare key with Ines")
    assert turns_behind([saying, short, long]) == {"saying": "turn"}
    assert turns_behind([saying, long]) == {}
    assert turns_behind([short, saying]) == {}
    assert turns_behind([("fact", "semantic", "The user keeps the spare key with Ines"), short]) == {}
    assert parts_of([short, long, saying]) == {"saying": "turn"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("merged PR #260", "merged PR #480"),
        ("I like tea", "I do not like tea"),
        ("costs 1.5 pounds", "costs 15 pounds"),
        ("5 mg twice a day", "5 g twice a day"),
        ("it is -5 degrees", "it is 5 degrees"),
        ("written in C", "written in C++"),
        ("written in C", "written in C#"),
        ("a != b", "a = b"),
        ("10⁵ metres", "105 metres"),
        ("Is she pregnant?", "Is she pregnant."),
        ("call Anna", "call Anne"),
        ("我喜欢茶", "我不喜欢茶"),
        ("!!!", "???"),
    ],
)
def test_what_differs_is_kept_apart(one: str, other: str) -> None:
    assert same_as([("a", "semantic", one), ("b", "semantic", other)]) == {}


def test_two_kinds_and_two_speakers_are_two(acme: Caller, drain: Callable[[], None]) -> None:
    assert same_as([("a", "semantic", "tea"), ("b", "episodic", "tea")]) == {}
    for session in ("s1", "s2", "s3"):
        acme.turn("I take my tea with oat milk", session_id=session, speaker="Ada")
    acme.turn("I take my tea with oat milk", session_id="s1", speaker="Bob")
    drain()
    answer = acme.recall("tea with oat milk", explain=True)
    assert sorted(hit["source"]["speaker"] for hit in answer["results"]) == ["Ada", "Bob"]
    reasons = [miss["reason"] for miss in answer["explain"]["near_misses"]]
    assert reasons == ["near_duplicate", "near_duplicate"]
    assert "says the same as a memory that is placed better" in answer["explain"]["near_misses"][0]["words"]


@pytest.mark.parametrize(
    ("turn", "saying", "is_part"),
    [
        ("My rent is 9500", "The user said: rent is 950", False),
        ("My rent is 950.50", "The user said: rent is 950", False),
        ("It is 1,950 a month", "The user said: 950 a month", False),
        ("The rent is 950, it is due", "The user said: rent is 950", True),
        ("My parents are in", "The user said: rents are in", False),
        ("我住在波恩,房租9500", "用户说：房租950", False),
        ("我住在波恩,房租950", "用户说：房租950", True),
        ("我住在波恩,房租950元", "用户说：住在波恩,房租950", True),
        ("I like tea", "The user said: ???", False),
        ("I like tea", "The user said: ...", False),
    ],
)
def test_a_saying_is_part_of_a_turn_by_whole_words(turn: str, saying: str, is_part: bool) -> None:
    texts = [("turn", "episodic", turn), ("saying", "semantic", saying)]
    assert parts_of(texts) == ({"saying": "turn"} if is_part else {})
    assert parts_of(texts[::-1]) == ({"turn": "saying"} if is_part else {})
