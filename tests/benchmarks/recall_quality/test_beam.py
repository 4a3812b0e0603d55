import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recall_quality.beam import load_beam


def said(number: int, role: str, text: str, anchor: str | None = None) -> dict[str, Any]:
    return {"id": number, "role": role, "content": text, "time_anchor": anchor, "index": f"1,{number}"}


CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [said(0, "user", "I plan a weir.", "March-15-2024"), said(1, "assistant", "Which river?")],
            [said(2, "user", "The Dove.")],
        ],
    },
    {
        "batch_number": 2,
        "turns": [[said(3, "user", "The weir is done.", "April-02-2024"), said(3, "user", "Twice.")]],
    },
]
QUESTIONS = {
    "abstention": [{"question": "Who paid?"}],
    "knowledge_update": [
        {"question": "Is it done?", "source_chat_ids": {"original_info": [0], "updated_info": [[3], 1]}}
    ],
    "information_extraction": [{"question": "Which river?", "source_chat_ids": [2, 99]}],
}


def folder(path: Path, chat: Any = CHAT) -> Path:
    (path / "probing_questions").mkdir(parents=True)
    (path / "chat.json").write_text(json.dumps(chat))
    (path / "probing_questions" / "probing_questions.json").write_text(json.dumps(QUESTIONS))
    return path


def test_a_chat_is_read_with_its_sessions_and_dates(tmp_path: Path) -> None:
    conversation = load_beam(folder(tmp_path / "7")).conversations[0]
    assert [(turn.id, turn.role, turn.session_id, turn.text) for turn in conversation.turns] == [
        ("0", "user", "session-0", "I plan a weir."),
        ("1", "assistant", "session-0", "Which river?"),
        ("2", "user", "session-0", "The Dove."),
        ("3", "user", "session-1", "The weir is done."),
        ("3 again at 4", "user", "session-1", "Twice."),
    ]
    assert conversation.turns[2].occurred_at == datetime(2024, 3, 15, 0, 2, tzinfo=UTC)
    assert conversation.turns[3].occurred_at == datetime(2024, 4, 2, tzinfo=UTC)
    assert conversation.tenant == "chat-7"


def test_evidence_is_read_however_deep_and_without_the_assistants(tmp_path: Path) -> None:
    data = load_beam(folder(tmp_path / "7"))
    assert [(one.category, one.gold) for one in data.conversations[0].questions] == [
        ("knowledge_update", ("0", "3")),
        ("information_extraction", ("2",)),
    ]
    assert (data.not_user, data.dropped, data.unanswerable) == (1, 1, 1)


def test_a_folder_of_chats_is_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("10", "9"):
        folder(tmp_path / name)
    (tmp_path / "README.md").write_text("no chat")
    assert [one.id for one in load_beam(tmp_path).conversations] == ["chat-9", "chat-10"]


@pytest.mark.parametrize("as_text", [json.dumps, repr])
def test_a_file_may_hold_the_questions_as_text(tmp_path: Path, as_text: Any) -> None:
    path = tmp_path / "beam.jsonl"
    row = {"conversation_id": "3", "chat": [CHAT[0]["turns"]], "probing_questions": as_text(QUESTIONS)}
    path.write_text(json.dumps(row) + "\n")
    data = load_beam(path)
    assert [turn.id for turn in data.conversations[0].turns] == ["0", "1", "2"]
    assert data.conversations[0].id == "chat-3"


def test_a_flat_list_of_messages_is_one_session(tmp_path: Path) -> None:
    flat = [said(0, "user", "One."), said(1, "assistant", "Two.")]
    turns = load_beam(folder(tmp_path / "1", flat)).conversations[0].turns
    assert {turn.session_id for turn in turns} == {"session-0"}


def test_a_folder_without_a_chat_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no chat"):
        load_beam(tmp_path)
