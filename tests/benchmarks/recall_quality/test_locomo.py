from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.recall_quality.locomo import load_locomo, session_date
from tests.benchmarks.recall_quality.made_up import write_sample


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9, tzinfo=UTC)),
        ("12:30 pm on 1 January, 2024", datetime(2024, 1, 1, 12, 30, tzinfo=UTC)),
        ("10:04 am on 29 February, 2024", datetime(2024, 2, 29, 10, 4, tzinfo=UTC)),
    ],
)
def test_dates_are_read_as_the_set_writes_them(written: str, expected: datetime) -> None:
    assert session_date(written) == expected


def test_a_date_in_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="2023-05-08"):
        session_date("2023-05-08 13:56")


def test_turns_come_in_order_with_their_session_and_caption(tmp_path: Path) -> None:
    conversation = load_locomo(write_sample(tmp_path)).conversations[0]
    assert [(turn.id, turn.session_id) for turn in conversation.turns] == [
        ("D1:1", "session_1"),
        ("D1:2", "session_1"),
        ("D2:1", "session_2"),
        ("D2:2", "session_2"),
    ]
    assert conversation.turns[1].text == "Look at that. [shared image: a jar of marmalade]"
    assert conversation.turns[3].text == "Bravo! I took up rowing on the canal."
    assert conversation.turns[2].occurred_at == datetime(2024, 3, 3, 10, 5, tzinfo=UTC)


def test_the_end_is_a_day_after_the_last_session(tmp_path: Path) -> None:
    conversation = load_locomo(write_sample(tmp_path)).conversations[0]
    assert conversation.ended_at == datetime(2024, 3, 4, 10, 5, tzinfo=UTC)


def test_questions_without_a_turn_are_left_out_and_counted(tmp_path: Path) -> None:
    data = load_locomo(write_sample(tmp_path))
    assert [(asked.index, asked.category, asked.gold) for asked in data.conversations[0].questions] == [
        (0, "single-hop", ("D1:1",)),
        (1, "multi-hop", ("D1:2", "D2:1")),
        (4, "temporal", ("D2:2",)),
    ]
    assert (data.repaired, data.dropped, data.unanswerable) == (1, 1, 2)
