"""A later sentence closes the earlier one that it is about, by its matter too, and nothing that only looks like it."""

from collections.abc import Callable, Sequence

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person
from tests.consolidation.test_derived import revert


@pytest.mark.parametrize(
    ("before", "change", "gone", "stays"),
    [
        (
            ["I drink three coffees a day, black, no sugar.", "My dentist is Dr Rao on Mill Lane, every six months."],
            "I've switched to tea, my stomach couldn't take it.",
            "coffees",
            "Rao",
        ),
        (
            ["Our flat in Leeds has two bedrooms and looks out on the canal.", "My dentist is Dr Rao on Mill Lane, every six months."],
            "We moved to York last weekend.",
            "Leeds",
            "Rao",
        ),
        (["每天三杯咖啡,不喝就头疼,房租每月2600"], "现在改喝茶了,胃受不了", "咖啡", "2600"),
        (
            ["我女儿在育才小学读二年级,班主任姓何", "我自己在夜校读会计,周三周五上课"],
            "女儿转到实验小学了,新班主任姓蒋",
            "育才小学",
            "夜校",
        ),
    ],
)  # fmt: skip
def test_a_change_closes_what_it_is_about(
    ada: Person, sleep: Callable[[], Worked], before: Sequence[str], change: str, gone: str, stays: str
) -> None:
    for said in before:
        ada.say(said)
    sleep()
    assert any(gone in text for text in ada.texts())
    turn = ada.say(change)
    sleep()
    assert not any(gone in text for text in ada.texts())
    assert any(gone in text for text in ada.texts(status="superseded"))
    assert any(stays in text for text in ada.texts())
    hits = ada.caller.recall(gone, user_id="ada", memory_types=["semantic"])["results"]
    assert not any(gone in hit["text"] for hit in hits)
    revert(ada, turn)
    assert any(gone in text for text in ada.texts())


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        (
            "I study history part time at Durham, second year, lectures on Thursdays.",
            "My daughter Ella changed schools, she's at Moor End now.",
            "Durham",
        ),
        (
            "you can reach me on my mobile, 07700 900555, any time after 6",
            "We've also got a second phone for the shop now, 07700 900666.",
            "900555",
        ),
        ("I'm a nurse at St James's, nights mostly.", "My wife changed jobs, she's at Aldi now.", "St James"),
        ("手机号是13900008888,微信同号", "另外还办了个工作用的新号,13900009999", "13900008888"),
        ("我自己在夜校读会计,周三周五上课", "女儿转到实验小学了,新班主任姓蒋", "夜校"),
    ],
)
def test_what_is_somebody_elses_or_one_more_closes_nothing(
    ada: Person, sleep: Callable[[], Worked], before: str, said: str, kept: str
) -> None:
    ada.say(before)
    sleep()
    assert any(kept in text for text in ada.texts())
    ada.say(said)
    sleep()
    assert any(kept in text for text in ada.texts())
    assert ada.texts(status="superseded") == []
