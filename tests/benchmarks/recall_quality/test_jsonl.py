import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.recall_quality.conversations import tenants_of
from benchmarks.recall_quality.jsonl import load_jsonl

LINE: dict[str, Any] = {
    "tenant": "Acme & Söhne",
    "turns": [
        {"id": 1, "session_id": "s", "role": "user", "speaker": "Ines", "text": "Otto opened a cinema.",
         "occurred_at": "2024-02-28T13:56:00+01:00"},
        {"id": 2, "session_id": "s", "role": "assistant", "content": "How nice."},
        {"id": 3, "session_id": "s", "role": "user", "content": "我喜欢绿色", "occurred_at": "2024-02-28T14:00:00"},
        {"id": 4, "session_id": "s", "role": "user", "text": " "},
    ],
    "questions": [
        {"query": "Who opened a cinema?", "evidence": [1, 2], "category": "single"},
        {"query": "What did the assistant say?", "evidence": [2]},
        {"query": "Which colour?", "evidence": ["3", 9]},
        {"query": "What was not said?"},
    ],
}  # fmt: skip


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "made-up.jsonl"
    path.write_text("\n\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_turns_are_read_with_text_or_content_and_their_roles(tmp_path: Path) -> None:
    conversation = load_jsonl(written(tmp_path, LINE)).conversations[0]
    assert [(turn.id, turn.role, turn.speaker, turn.text) for turn in conversation.turns] == [
        ("1", "user", "Ines", "Otto opened a cinema."),
        ("2", "assistant", "", "How nice."),
        ("3", "user", "", "我喜欢绿色"),
    ]
    assert conversation.turns[0].occurred_at == datetime(2024, 2, 28, 12, 56, tzinfo=UTC)
    assert conversation.turns[2].occurred_at == datetime(2024, 2, 28, 14, 0, tzinfo=UTC)
    assert (conversation.tenant, conversation.user_id) == ("acme-s-hne", "user-1")


def test_evidence_of_the_assistant_is_counted_and_no_gold(tmp_path: Path) -> None:
    data = load_jsonl(written(tmp_path, LINE))
    assert [(one.index, one.category, one.gold) for one in data.conversations[0].questions] == [
        (0, "single", ("1",)),
        (2, "all others", ("3",)),
    ]
    assert (data.not_user, data.dropped, data.unanswerable) == (2, 1, 2)
    assert data.categories == ("single", "all others")


def test_lines_of_one_tenant_are_its_users(tmp_path: Path) -> None:
    data = load_jsonl(written(tmp_path, LINE, {**LINE, "user_id": "bob"}))
    assert tenants_of(data.conversations) == ["acme-s-hne"]
    assert [conversation.user_id for conversation in data.conversations] == ["user-1", "bob"]
    assert len({conversation.id for conversation in data.conversations}) == 2


def test_turns_that_say_the_same_are_found_as_one(tmp_path: Path) -> None:
    again = {"id": 5, "role": "user", "speaker": "Ines", "text": "Otto opened a cinema."}
    conversation = load_jsonl(written(tmp_path, {**LINE, "turns": [*LINE["turns"], again]})).conversations[0]
    assert conversation.twins["5"] == "1"
    assert conversation.twins["3"] == "3"


@pytest.mark.parametrize("line", ["{", "[]", '{"turns": [{"text": "no id"}]}', '{"turns": []}'])
def test_a_line_that_is_none_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    with pytest.raises(ValueError, match="line 3"):
        load_jsonl(written(tmp_path, LINE, line))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no conversation"):
        load_jsonl(written(tmp_path))
