"""A turn on which a rule fails costs that turn alone: it is marked, told of, and those after it are read."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from consolidation.rules.judge import judge
from consolidation.services import doubts, near_of, write
from consolidation.services.work import Worked
from tests.consolidation.conftest import Person
from tests.consolidation.test_trust import post

ENDLESS = "9" * 320


def test_a_number_without_end_is_no_number_and_stops_nobody(ada: Person, sleep: Callable[[], Worked]) -> None:
    known = {
        "text": f"The rent is {ENDLESS} a month, to Mrs Lowe on the 5th.",
        "memory_type": "semantic",
        "user_id": "ada",
    }
    assert post(ada.caller, "memories/", known).status_code == 201
    ada.say("Our son Oliver is 11 and plays chess for the county.")
    assert sleep().failed == 0
    assert any(ENDLESS in text for text in ada.texts())
    ada.say("News: my rent goes up to 3,500 from May, and Oliver turned 12 last week")
    worked = sleep()
    assert worked.failed == 0
    assert any("Oliver turned 12" in text for text in ada.texts())
    assert sleep().runs == 0  # it was read


@pytest.mark.parametrize("error", [ValueError, OverflowError, RecursionError])
def test_a_turn_on_which_a_rule_fails_is_passed_over_and_told(
    ada: Person, sleep: Callable[[], Worked], monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def failing(candidate: Any, held: Sequence[Any], **fields: Any) -> Any:
        if "Leeds" in candidate.text:
            raise error("of one turn")
        return judge(candidate, held, **fields)

    for place in (write, near_of, doubts):
        monkeypatch.setattr(place, "judge", failing)
    ada.say("I live in Leeds.")
    ada.say("I work for Arup.")
    worked = sleep()
    assert (worked.failed, worked.counts) == (0, {"nothing": 1, "added": 1})
    assert ada.texts() == ["The user works for Arup"]
    told = [(decision["verdict"], decision["why"]) for decision in ada.decisions()]
    assert sorted(told) == [("added", "new"), ("nothing", "fault")]
    assert sleep().runs == 0
