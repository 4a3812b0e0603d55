"""Changes as people put them: what ends, what comes instead, and what is put right, in either language."""

from collections.abc import Callable

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person


@pytest.mark.parametrize(
    ("first", "then", "now", "before"),
    [
        ("I live in Lyon.", "We've just moved. Nantes is home now.", ["The user lives in Nantes"], ["The user lives in Lyon"]),
        ("I live in Oslo.", "No, that's wrong. I have never lived in Oslo, I live in Bergen.", ["The user lives in Bergen"], ["The user lives in Oslo"]),
        ("I work for 顺丰速运.", "I've left 顺丰速运.", ["The user left 顺丰速运"], ["The user works for 顺丰速运"]),
        ("I work for Siemens.", "I signed my job contract with Bosch, so I've left Siemens.", ["The user works for Bosch"], ["The user works for Siemens"]),
        ("I drive a red Passat.", "Sold the Passat last week; I drive a Fiat Panda now.", ["The user drives a Fiat Panda"], ["The user drives a red Passat"]),
        ("I'm running Redis 7.0 in production.", "Upgraded production to Redis 7.4 last night.", ["The user runs Redis 7.4 on production"], ["The user is using Redis 7.0 in production"]),
        ("My phone number is +49 151 2345678.", "New number, the old one is dead: +49 151 8765432.", ["The user's phone number is +49 151 8765432"], ["The user's phone number is +49 151 2345678"]),
        ("I enjoy pottery on Mondays.", "I no longer do pottery.", ["The user does not do pottery any more"], ["The user likes pottery on Mondays"]),
        ("From now on, answer me in tables.", "Scrap the tables, from now on give me plain prose.", ["The user wants others to give them plain prose"], ["The user wants others to answer them in tables"]),
        ("I'm from Ghana.", "I'm not from Ghana but from Togo.", ["The user is from Togo"], ["The user is from Ghana"]),
        ("My favourite colour is teal.", "My favourite colour used to be teal, now it's ochre.", ["The user's favourite colour is ochre"], ["The user's favourite colour is teal"]),
        ("I use Chrome.", "I ditched Chrome for Firefox.", ["The user uses Firefox"], ["The user uses Chrome"]),
        ("My budget is 500.", "My budget went from 500 to 800.", ["The user's budget is 800"], ["The user's budget is 500"]),
        ("我的预算是五千", "预算从五千涨到八千。", ["用户的预算是八千"], ["用户的预算是五千"]),
        ("我住在大连。", "我搬家了，新家在徐州。", ["用户住在徐州"], ["用户住在大连"]),
        ("我在一家银行上班。", "我跳槽了，现在在携程做分析师。", ["用户在携程工作", "用户是分析师"], ["用户在一家银行工作"]),
        ("我的手机号是 15011112222。", "我换号了，新号码是 15033334444。", ["用户的电话是15033334444"], ["用户的电话是15011112222"]),
        ("我每周三去练瑜伽。", "瑜伽不练了，腰受伤了。", ["用户不练瑜伽了"], ["用户每周三去练瑜伽"]),
        ("我平时喝普洱。", "我不喝普洱了，现在喝龙井。", ["用户现在喝龙井"], ["用户平时喝普洱"]),
        ("我们测试环境用的是 Kafka 3.5。", "测试环境已经升到 3.7 了。", ["用户的测试环境用的是3.7"], ["用户的测试环境用的是Kafka 3.5"]),
        ("我用的平板是华为 Pad 11。", "错了，我从来没用过华为，我用的是 iPad Air。", ["用户用iPad Air"], ["用户的平板是华为 Pad 11"]),
    ],
)  # fmt: skip
def test_what_was_believed_gives_way(
    ada: Person, sleep: Callable[[], Worked], first: str, then: str, now: list[str], before: list[str]
) -> None:
    ada.say(first)
    ada.say(then)
    sleep()
    assert ada.texts() == now
    assert ada.texts(status="superseded") == before


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("I live in Lyon.", "Anna is home now.", "The user lives in Lyon"),
        ("I live in Lyon.", "Joke: I'm a penguin and I live in Antarctica.", "The user lives in Lyon"),
        ("I'm a baker.", "Let's role-play: I'm a pirate. I live on a ship.", "The user is a baker"),
        ("My phone number is +49 151 2345678.", "My phone is a Pixel 8.", "The user's phone number is +49 151 2345678"),
        ("I use Python 3.12.", "I use Python 3.9 at work.", "The user uses Python 3.12"),
        ("I'm running Redis 7.0 in production.", "Upgraded staging to Redis 7.4.", "The user is using Redis 7.0 in production"),
        ("我是做后端开发的。", "我现在在携程做架构师。", "用户做后端开发"),
        ("我养了一只猫。", "猫不吃了。", "用户养了一只猫"),
        ("我在一家银行上班。", "我老婆换工作了，新公司是携程。", "用户在一家银行工作"),
        ("我住在大连。", "我们来角色扮演吧。我是国王，我住在城堡里。", "用户住在大连"),
    ],
)  # fmt: skip
def test_what_was_believed_stays(ada: Person, sleep: Callable[[], Worked], first: str, then: str, kept: str) -> None:
    ada.say(first)
    ada.say(then)
    sleep()
    assert kept in ada.texts()
    assert ada.texts(status="superseded") == []


def test_what_was_never_known_does_not_end(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I've gone off sushi.")
    ada.say("瑜伽不练了。")
    assert sleep().counts == {"stale": 2}
    assert ada.texts() == []


def test_a_change_that_ends_something_may_be_taken_up_again(ada: Person, sleep: Callable[[], Worked]) -> None:
    for words in ("I like sushi.", "I've gone off sushi.", "I like sushi again."):
        ada.say(words)
    sleep()
    assert ada.texts() == ["The user likes sushi"]
