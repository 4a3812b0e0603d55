from datetime import UTC, datetime

from benchmarks.recall_quality.conversations import Conversation, Turn
from benchmarks.recall_quality.ingest import BATCH_MAX_TURNS, batches, body


def turn(number: int, session_id: str) -> Turn:
    moment = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    return Turn(id=f"D1:{number}", session_id=session_id, speaker="Ines", text="Hello", occurred_at=moment)


def conversation(*turns: Turn) -> Conversation:
    ended_at = datetime(2023, 5, 9, tzinfo=UTC)
    return Conversation(id="conv-1", turns=turns, questions=(), ended_at=ended_at, tenant="conv-1", user_id="conv-1")


def test_each_session_is_a_request_and_a_very_long_one_is_several() -> None:
    long = [turn(number, "session_1") for number in range(BATCH_MAX_TURNS + 1)]
    found = batches(conversation(*long, turn(0, "session_2")))
    assert [len(batch) for _, batch in found] == [BATCH_MAX_TURNS, 1, 1]
    assert [one for _, batch in found for one in batch] == [*long, turn(0, "session_2")]
    assert len({key for key, _ in found}) == 3


def test_a_turn_is_sent_with_its_speaker_session_and_date() -> None:
    assert body(conversation(), turn(1, "session_1")) == {
        "user_id": "conv-1",
        "session_id": "session_1",
        "role": "user",
        "speaker": "Ines",
        "content": "Hello",
        "occurred_at": "2023-05-08T13:56:00+00:00",
    }
