"""Couriers, shops and drinks: what is preferred now, by whatever name it goes."""

from collections.abc import Callable

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person


def test_a_courier_by_three_names_is_one_preference(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("以后都帮我发顺丰，别再用圆通了。")
    ada.say("我习惯用顺丰速运")
    ada.say("我还是选SF吧")
    sleep()
    facts = {fact["text"]: fact["frequency"] for fact in ada.facts()}
    assert facts == {"用户偏好顺丰": 3, "用户不要用圆通": 1}
    couriers = {entity["name"]: entity["aliases"] for entity in ada.get("entities/", entity_type="courier")}
    assert {"顺丰", "SF"} <= set(couriers["顺丰速运"])
    assert set(couriers) == {"顺丰速运", "圆通速递"}
    relations = {(one["predicate"], one["object_entity"]["name"]): one["weight"] for one in ada.get("relations/")}
    assert relations == {("prefers", "顺丰速运"): 3.0, ("rejects", "圆通速递"): 1.0}


def test_another_shop_takes_the_place_of_the_first(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("我平时都用京东", occurred_at="2026-03-01T00:00:00Z")
    ada.say("现在淘宝用得多了", occurred_at="2026-06-01T00:00:00Z")
    sleep()
    assert ada.texts() == ["用户现在多用淘宝"]
    assert ada.texts(status="superseded") == ["用户平时用京东"]


def test_also_likes_adds_and_now_prefers_supersedes(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I prefer tea.")
    ada.say("I also like oolong.")
    ada.say("I now prefer coffee.")
    sleep()
    assert ada.texts() == ["The user likes oolong", "The user prefers coffee"]
    assert ada.texts(status="superseded") == ["The user prefers tea"]


@pytest.mark.parametrize(
    ("first", "then", "now", "before"),
    [
        ("I love jazz.", "I hate jazz.", "The user hates jazz", "The user loves jazz"),
        ("I like coffee.", "I don't like coffee anymore.", "The user no longer likes coffee", "The user likes coffee"),
        ("我喜欢咖啡", "我不再喜欢咖啡了", "用户不再喜欢咖啡", "用户喜欢咖啡"),
        ("I use Windows.", "I switched from Windows to Linux.", "The user uses Linux", "The user uses Windows"),
        ("My budget is £10,000.", "My budget went up to £30,000.", "The user's budget is £30,000", "The user's budget is £10,000"),
        ("我的预算是1万", "预算调整到3万了", "用户的预算是3万", "用户的预算是1万"),
    ],
)  # fmt: skip
def test_a_reversal_leaves_one_current_fact_and_one_superseded(
    ada: Person, sleep: Callable[[], Worked], first: str, then: str, now: str, before: str
) -> None:
    ada.say(first)
    sleep()
    ada.say(then)
    sleep()
    assert ada.texts() == [now]
    assert ada.texts(status="superseded") == [before]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My order number is 260.", "My order number is 480."),
        ("I own a 27 inch monitor.", "I own a 32 inch monitor."),
        ("I'm allergic to peanuts.", "I'm not allergic to pine nuts."),
        ("I have a dog called Rex.", "I have a dog called Max."),
        ("我对花生过敏", "我对花粉过敏"),
        ("I take 20 mg of lisinopril every day.", "I take 20 mg of atorvastatin every day."),
    ],
)
def test_what_differs_in_a_number_a_name_or_a_negation_is_kept_apart(
    ada: Person, sleep: Callable[[], Worked], first: str, then: str
) -> None:
    ada.say(first)
    ada.say(then)
    assert sleep().counts == {"added": 2}
    assert len(ada.texts()) == 2


@pytest.mark.parametrize(
    ("first", "then", "left"),
    [
        ("I like blue.", "Forget that I like blue, I like green.", ["The user likes green"]),
        ("我喜欢蓝色", "忘记我之前说喜欢蓝色，我喜欢绿色", ["用户喜欢绿色"]),
        ("I live in Leeds.", "Please forget that I live in Leeds.", []),
        ("I like blue.", "Don't forget that I like blue.", ["The user likes blue"]),
        ("I like blue.", "Please forget that I like red.", ["The user likes blue"]),
    ],
)
def test_what_shall_be_forgotten_is_retracted_and_can_be_restored(
    ada: Person, sleep: Callable[[], Worked], first: str, then: str, left: list[str]
) -> None:
    ada.say(first)
    sleep()
    known = ada.facts()[0]
    ada.say(then)
    sleep()
    assert ada.texts() == left
    if known["text"] not in left:
        assert [one["memory_id"] for one in ada.decisions(verdict="forgotten")] == [known["id"]]
        restored = ada.caller.client.post(f"/api/v1/memories/{known['id']}/restore/", {}, format="json")
        assert restored.status_code == 201, restored.content
        assert known["text"] in ada.texts()


def test_a_closer_description_takes_the_place_of_the_shorter_one(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("I have a dog.")
    ada.say("I have a dog called Rex.")
    ada.say("I have a dog.")
    assert sleep().counts == {"added": 1, "refined": 1, "repeated": 1}
    assert ada.texts() == ["The user has a dog called Rex"]
