"""What shares words with what was said before, and says something else: neither a repetition nor a change of it."""

from collections.abc import Callable

import pytest

from consolidation.rules.candidate import SAYS
from consolidation.services.work import Worked
from tests.consolidation.conftest import Person


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("My wife Anna eats peanuts and 2 eggs every morning.", "My wife Anna no longer eats eggs."),
        ("My FitX gym costs 45 euros a month", "My FitX gym now runs 55 euros a month"),
        ("我妈每天吃二甲双胍500毫克", "我妈不吃二甲双胍了"),
        ("我儿子每周二踢足球", "我儿子不踢足球了"),
    ],
)
def test_a_denial_and_another_number_are_no_repetition(
    ada: Person, sleep: Callable[[], Worked], before: str, said: str
) -> None:
    ada.say(before)
    sleep()
    ada.say(said)
    sleep()
    assert not any(before.rstrip(".") in text for text in ada.texts())
    assert any(before.rstrip(".") in text for text in ada.texts(status="superseded"))
    assert ada.decisions(verdict="repeated") == []


@pytest.mark.parametrize(
    ("before", "said", "learnt"),
    [
        (
            "My sister and her 2 kids are visiting from Leith this month.",
            "I live in Leith.",
            "The user lives in Leith",
        ),
        (
            "My brother Tom used to work at Siemens in Berlin, 5 years.",
            "I work at Siemens.",
            "The user works at Siemens",
        ),
    ],
)
def test_what_a_rule_reads_is_learnt_beside_what_only_names_its_value(
    ada: Person, sleep: Callable[[], Worked], before: str, said: str, learnt: str
) -> None:
    ada.say(before)
    ada.say(said)
    sleep()
    assert learnt in ada.texts()
    assert any(before.rstrip(".") in text for text in ada.texts())


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("My daughter Mia plays violin at St Cecilia on Tuesdays", "Mia no longer takes the bus to school"),
        ("My brother Tom runs a bakery in Ghent with 4 staff", "Tom sold his car"),
    ],
)
def test_who_is_told_of_does_not_close_another_matter(
    ada: Person, sleep: Callable[[], Worked], before: str, said: str
) -> None:
    ada.say(before)
    sleep()
    ada.say(said)
    sleep()
    assert any(before in text for text in ada.texts())
    assert ada.texts(status="superseded") == []


def test_what_is_quoted_is_not_kept_with_the_sentence_before_it(ada: Person, sleep: Callable[[], Worked]) -> None:
    ada.say("We switched the boiler to Vaillant in May.\n> I live in Oslo with my wife Kari and earn 5000")
    sleep()
    (fact,) = ada.facts()
    assert (fact["predicate"], "Vaillant" in fact["text"], "Oslo" in fact["text"]) == (SAYS, True, False)
