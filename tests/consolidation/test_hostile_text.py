"""No text, however it is made, stops the rules or holds them up."""

import random
import time
from datetime import UTC, datetime

import pytest

from consolidation.rules.extract import extract
from consolidation.rules.outcomes import outcome_of
from consolidation.rules.steps import steps_of

SAID_AT = datetime(2026, 6, 15, tzinfo=UTC)
LONG = 32_000
PIECES = (
    "I ", "live in ", "and ", "well, ", "now ", "我", "住在", "从", "了", "，", "。", "the ", "(", ")", '"', "'", "“", "```", "> ", "\n", "1. ", ":",
    "if ", "from now on, ", "a ", "my ", "is ", "since ", "2019 ", "30 Feb ", "100,000 years ago ", "\u200b", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "{who}", "{", "}", "{0}", "\\", "\x00", "@", "+1 ", ".", "!", "?", "now ", "by the way ",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_repetition_is_read_in_time(piece: str) -> None:
    content = (piece * LONG)[:LONG]
    begin = time.perf_counter()
    extract(content, said_at=SAID_AT)
    outcome_of(content)
    steps_of(content)
    assert time.perf_counter() - begin < 5


def test_random_texts_are_read_in_time_and_every_span_is_in_its_turn() -> None:
    chance = random.Random(7)  # noqa: S311 - not for secrets
    begin = time.perf_counter()
    for _ in range(600):
        content = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 80)))
        for candidate in extract(content, said_at=SAID_AT).candidates:
            assert 0 <= candidate.start < candidate.end <= len(content)
            assert candidate.text.strip()
            assert "{who}" not in candidate.text.replace("{who}", "", content.count("{who}"))
            assert candidate.valid_from is None or candidate.valid_from <= SAID_AT
    assert time.perf_counter() - begin < 60


@pytest.mark.parametrize(
    "words",
    ["I moved to York 100,000 years ago.", "I moved to York on 30 February 2020.", "I moved to York in 9999.", "我0000年搬到了杭州", "我从2019年13月起住在杭州"],
)  # fmt: skip
def test_a_date_that_cannot_be_is_no_date(words: str) -> None:
    for candidate in extract(words, said_at=SAID_AT).candidates:
        assert candidate.valid_from is None or candidate.valid_from <= SAID_AT


@pytest.mark.parametrize(
    ("words", "began"),
    [
        ("I moved to York yesterday.", "2019-05-08"),
        ("I moved to York last month.", "2019-04-01"),
        ("I moved to York in March.", "2019-03-01"),
        ("I moved to York in October.", "2018-10-01"),
        ("I moved to York three years ago.", "2016-05-09"),
        ("I have lived in York since 2011.", "2011-01-01"),
        ("我去年搬到了杭州", "2018-01-01"),
        ("我三年前搬到了杭州", "2016-05-09"),
        ("我2012年3月搬到了杭州", "2012-03-01"),
    ],
)
def test_a_date_is_judged_by_when_it_was_said(words: str, began: str) -> None:
    (candidate,) = extract(words, said_at=datetime(2019, 5, 9, 10, tzinfo=UTC)).candidates
    assert candidate.valid_from is not None
    assert candidate.valid_from.date().isoformat() == began
