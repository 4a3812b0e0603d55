"""The period that a question names, and what it does to an answer."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from memories.time_phrases import period_of
from tests.conftest import Caller

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday
NO_TIME = (
    """
What did we tell me did he do|May I ask something?|You may go|What about Sunday roast recipes|Mae met June Carter
Is Augustus a cat?|march on|The fall of Rome|Who is Dawn?|What is second best?|I like spring rolls|My age is 30
What is order 2023-1188?|Call 020 7946 0018|version 12.1.3|100,000 years ago|We are the 90s kids|I was in my thirties
我和小明|周杰伦是谁|星期天餐厅|月亮|年糕好吃吗|前面有什么|今后怎么办|上海的周围|这个月饼多少钱|十三天前|三十年前
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def days(question: str) -> tuple[str, str] | None:
    period = period_of(question, AT)
    return None if period is None else (period.start.date().isoformat(), period.end.date().isoformat())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I do yesterday?", ("2026-11-29", "2026-11-30")),
        ("the day before yesterday", ("2026-11-28", "2026-11-29")),
        ("What did I say today?", ("2026-11-30", "2026-12-01")),
        ("What happened last week?", ("2026-11-23", "2026-11-30")),
        ("last weekend", ("2026-11-28", "2026-11-30")),
        ("plans of last month", ("2026-10-01", "2026-11-01")),
        ("last year", ("2025-01-01", "2026-01-01")),
        ("last spring", ("2026-03-01", "2026-06-01")),
        ("last winter", ("2025-12-01", "2026-03-01")),
        ("last Friday", ("2026-11-27", "2026-11-28")),
        ("last Monday", ("2026-11-23", "2026-11-24")),
        ("three weeks ago", ("2026-11-09", "2026-11-16")),
        ("2 years ago", ("2024-01-01", "2025-01-01")),
        ("in the last 10 days", ("2026-11-20", "2026-11-30")),
        ("in May 2023", ("2023-05-01", "2023-06-01")),
        ("on 13 July 2024", ("2024-07-13", "2024-07-14")),
        ("July 13th, 2024", ("2024-07-13", "2024-07-14")),
        ("on 2024-02-29", ("2024-02-29", "2024-03-01")),
        ("in December", ("2025-12-01", "2026-01-01")),
        ("since 2024", ("2024-01-01", "2026-11-30")),
        ("Q2 2024", ("2024-04-01", "2024-07-01")),
        ("summer of 2022", ("2022-06-01", "2022-09-01")),
        ("in 2019", ("2019-01-01", "2020-01-01")),
        ("昨天我说了什么", ("2026-11-29", "2026-11-30")),
        ("上周去了哪里", ("2026-11-23", "2026-11-30")),
        ("上个月", ("2026-10-01", "2026-11-01")),
        ("去年夏天", ("2025-06-01", "2025-09-01")),
        ("两周前", ("2026-11-16", "2026-11-23")),
        ("最近三个月", ("2026-08-01", "2026-11-30")),
        ("2023年5月8日", ("2023-05-08", "2023-05-09")),
        ("5月8日的会议", ("2026-05-08", "2026-05-09")),
        ("大前天", ("2026-11-27", "2026-11-28")),
        ("十天前", ("2026-11-20", "2026-11-21")),
    ],
)
def test_a_phrase_keeps_its_grain(question: str, expected: tuple[str, str]) -> None:
    assert days(question) == expected


@pytest.mark.parametrize("question", NO_TIME)
def test_words_that_only_look_like_a_time_are_none(question: str) -> None:
    assert days(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "30 February 2024",
        "on 0000-01-01",
        "9999-13-01",
        "999 years ago " * 9,
        "13月份",
        "2023年13月",
        "31 June",
        "5月99日",
    ],
)
def test_a_date_that_is_none_is_no_error(question: str) -> None:
    period_of(question, AT)
    period_of(question, datetime(1, 1, 1, tzinfo=UTC))
    period_of(question, datetime(9999, 12, 31, tzinfo=UTC))


def test_what_was_said_in_the_period_is_found_though_it_shares_no_word(
    acme: Caller, drain: Callable[[], None]
) -> None:
    wanted = acme.turn("Rowed across the bay with Tom", session_id="old", occurred_at="2025-07-14T10:00:00Z")
    for number in range(150):
        acme.turn(
            f"what I did at work: meeting number {number} about what we do",
            session_id=f"s{number % 5}",
            occurred_at=f"2026-{number % 10 + 1:02}-1{number % 9}T10:00:00Z",
        )
    drain()
    asked = {"valid_at": "2026-11-30T12:00:00Z", "top_k": 100, "explain": True}
    plain = acme.recall("What did I do at work?", **asked)["results"]
    assert wanted["memory_id"] not in [hit["memory_id"] for hit in plain]
    answer = acme.recall("What did I do in July 2025?", **asked)
    assert answer["explain"]["period"] == {"from": "2025-07-01T00:00:00+00:00", "to": "2025-08-01T00:00:00+00:00"}
    found = {hit["memory_id"]: hit["explain"] for hit in answer["results"]}
    assert found[wanted["memory_id"]]["weights"]["period"] == 1.3
    assert "lying in the time that the question names (+30 %)" in found[wanted["memory_id"]]["words"]
