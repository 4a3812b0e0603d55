"""What a saying still says once a part of it is over: kept, told, and gone again with what took that part's place."""

from collections.abc import Callable
from typing import Any

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person
from tests.consolidation.test_derived import revert, undo

OLD = "有啊,鸡蛋过敏,湿疹老是反复,现在抹丁酸氢化可的松,一天两次"
NEW = "今天复诊,丁酸氢化可的松停了,换成他克莫司,睡前抹一次"


@pytest.fixture
def changed(ada: Person, sleep: Callable[[], Worked]) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return what is believed of a saying before and after a part of it changed, and the turn that told so."""
    ada.say(OLD)
    sleep()
    before = sorted(ada.texts())
    turn = ada.say(NEW)
    sleep()
    after = sorted(ada.texts())
    assert any("鸡蛋过敏" in text and "丁酸" not in text for text in after)
    return before, after, turn


def test_a_rest_is_decided_on_and_goes_with_what_made_it(
    ada: Person, changed: tuple[list[str], list[str], dict[str, Any]]
) -> None:
    before, after, turn = changed
    (rest,) = [fact for fact in ada.facts() if "鸡蛋过敏" in fact["text"]]
    (whole,) = ada.facts(status="superseded")
    told = [one for one in ada.decisions() if one["why"] == "rest"]
    assert [(one["verdict"], one["memory_id"], one["met_id"], one["turn_id"]) for one in told] == [
        ("added", rest["id"], whole["id"], turn["turn_id"])
    ]
    assert rest["metadata"]["claim"]["key"] != whole["metadata"]["claim"]["key"]
    for _ in range(2):
        receipt = revert(ada, turn)
        assert sorted(ada.texts()) == before
        assert undo(ada, receipt)["left"] == []
        assert sorted(ada.texts()) == after


def test_a_rest_goes_when_what_made_it_is_retracted(
    ada: Person, changed: tuple[list[str], list[str], dict[str, Any]]
) -> None:
    before, _, _ = changed
    (new,) = [fact for fact in ada.facts() if fact["text"].startswith("用户说") and "他克莫司" in fact["text"]]
    assert ada.caller.client.delete(f"/api/v1/memories/{new['id']}/").status_code == 204
    assert [text for text in ada.texts() if text.startswith("用户说")] == before


def test_the_whole_said_again_is_no_repetition_of_its_rest(
    ada: Person, sleep: Callable[[], Worked], changed: tuple[list[str], list[str], dict[str, Any]]
) -> None:
    ada.say(OLD)
    sleep()
    assert any("丁酸氢化可的松,一天两次" in text for text in ada.texts())
