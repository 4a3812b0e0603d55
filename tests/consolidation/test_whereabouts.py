"""Where somebody works or studies is a place: no field, no employer, no subject and no school."""

from collections.abc import Callable

import pytest

from consolidation.services.work import Worked
from tests.consolidation.conftest import Person

WORK, STUDY = ("works_in", "place of work"), ("studies_in", "place of study")


@pytest.mark.parametrize(
    ("said", "filed"),
    [
        ("I work in Bonn.", WORK),
        ("I'm working in Bonn.", WORK),
        ("I have been working in the UK since 2019.", WORK),
        ("I work in northern Spain.", WORK),
        ("I work in finance.", ("works_in", "field")),
        ("I'm working in the automotive industry.", ("works_in", "field")),
        ("I work in HR.", ("works_in", "field")),
        ("I work in Marketing.", ("works_in", "field")),
        ("I work in an office.", ("works_in", None)),
        ("I work in Python.", ("works_in", None)),
        ("I study in Leiden.", STUDY),
        ("I'm studying in Leiden.", STUDY),
        ("I study law.", ("studies", None)),
        ("我在波恩工作。", WORK),
        ("我在德国上班。", WORK),
        ("我在温州市工作。", WORK),
        ("我在超市工作。", ("works_for", "employer")),
        ("我在微软中国工作。", ("works_for", "employer")),
        ("我在莱顿读书。", STUDY),
        ("我在北京大学读书。", ("studies_at", "school")),
        ("我在做金融工作。", ("works_in", "field")),
    ],
)
def test_a_place_of_work_or_study_is_filed_as_one(
    ada: Person, sleep: Callable[[], Worked], said: str, filed: tuple[str, str | None]
) -> None:
    ada.say(said)
    sleep()
    (fact,) = ada.facts()
    assert (fact["predicate"], fact["slot"]) == filed


def test_place_and_field_stand_side_by_side_and_a_new_place_takes_the_olds(
    ada: Person, sleep: Callable[[], Worked]
) -> None:
    for number, said in enumerate(("I work in finance.", "I work in Bonn.", "I work in Leeds now.")):
        ada.say(said, session_id=f"s{number}")
        sleep()
    assert set(ada.texts()) == {"The user works in finance", "The user works in Leeds"}
    assert ada.texts(status="superseded") == ["The user works in Bonn"]


def test_where_somebody_no_longer_works_is_closed(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("我在波恩工作。")
    sleep()
    ada.say("我不在波恩工作了。", session_id="s2")
    sleep()
    assert "用户在波恩工作" not in ada.texts()
