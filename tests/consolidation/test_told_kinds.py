"""Kinds of things that people tell in passing: contacts, appointments, debts, who is at home, how they want answers."""

from collections.abc import Callable

import pytest

from consolidation.rules.candidate import SAYS
from consolidation.services.work import Worked
from tests.consolidation.conftest import Person

TOLD = (
    ("If anything breaks, mail me at kim@site.example please.", "The user's email is kim@site.example"),
    ("There's a beagle at home, her name is Pepper.", "The user has a beagle called Pepper"),
    ("We have three daughters: Mia, Zoe and Lena.", "The user has three daughters, Mia, Zoe and Lena"),
    ("I owe my landlord €700 by 1 May.", "The user owes their landlord €700 by 1 May"),
    ("I've got a dentist appointment on 3 July at 2pm.", "The user has a dentist appointment on 3 July at 2pm"),
    ("Each build since Monday ends with error code E-9912.", "The user gets error E-9912"),
    ("I work the night shift, 10pm to 6am.", "The user works the night shift"),
    ("I used to be a baker.", "The user used to be a baker"),
    ("My garage rent is 90 a month.", "The user's garage rent is 90 a month"),
    ("I live in 昆明.", "The user lives in 昆明"),
    ("I started taking sertraline in May.", "The user takes sertraline"),
    ("手机号 15011112222，有事打这个。", "用户的电话是15011112222"),
    ("家里养了一条柴犬，名字叫可乐。", "用户养了一条柴犬，叫可乐"),
    ("我姓林，名字叫林小北。", "用户叫林小北"),
    ("老伴姓赵，身体还好。", "用户的老伴姓赵"),
    ("每月退休金四千三。", "用户的退休金是四千三"),
    ("预算一共五万，够了。", "用户的预算是五万"),
    ("以后请叫我李工。", "用户希望被称为李工"),
    ("下周三下午两点我要去看牙医。", "用户下周三下午两点要去看牙医"),
    ("我生日是农历三月初八。", "用户的生日是农历三月初八"),
    ("前面说过的，我住昆明。", "用户住在昆明"),
)


@pytest.mark.parametrize(("words", "text"), TOLD)
def test_it_is_kept(ada: Person, sleep: Callable[[], Worked], words: str, text: str) -> None:
    ada.say(words)
    sleep()
    assert text in ada.texts()


NOTHING = (
    "As the song goes, I'm a rocket man and I live in the sky.",
    "Imagine this. I live on Mars. I have three robot dogs.",
    "My neighbour's washing machine shows error E22.",
    "Our flat is Victorian.",
    "I left Bob a message.",
    "假设我是医生。我住在上海。",
    "讲个笑话，我是皇帝，我住在故宫。",
)


@pytest.mark.parametrize(
    "words", ["My wife changed phones, her new number is +49 151 2345678.", "我老婆换号了，新号码是 15033334444。"]
)
def test_what_is_a_relative_s_is_kept_as_it_was_said_alone(
    ada: Person, sleep: Callable[[], Worked], words: str
) -> None:
    ada.say(words)
    sleep()
    (fact,) = ada.facts()
    assert (fact["predicate"], fact["slot"]) == (SAYS, None)


@pytest.mark.parametrize("words", NOTHING)
def test_it_is_not_told_of_oneself(ada: Person, sleep: Callable[[], Worked], words: str) -> None:
    ada.say(words)
    assert sleep().counts == {"nothing": 1}
    assert ada.get("memories/", memory_type="semantic") == []
