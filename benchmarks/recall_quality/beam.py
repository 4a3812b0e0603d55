"""BEAM's chats: one user and an assistant, and questions of ten abilities with the messages that answer them.

Read are the folders as published (`chats/100K`, or one chat: `chat.json` beside
`probing_questions/probing_questions.json`), and a file with one such chat a line or in a list, whose fields are
`chat` and `probing_questions`, be these JSON, or text that holds it.

Source: Tavakoli et al., "Beyond a Million Tokens: Benchmarking and Enhancing Long-Term Memory in LLMs", 2025.
"""

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.recall_quality.conversations import DataSet, Turn
from benchmarks.recall_quality.jsonl import FIRST, data_set
from benchmarks.recall_quality.told import Asked, Told, put_together

CHAT = Path("chat.json")
QUESTIONS = Path("probing_questions") / "probing_questions.json"
ANCHOR_FORMATS = ("%B-%d-%Y", "%B %d, %Y", "%Y-%m-%d", "%d %B %Y")
"""How sessions are dated, where they are."""

Message = Mapping[str, Any]


def load_beam(path: Path) -> DataSet:
    """Read a folder of chats, one chat's folder, or a file. Raises ValueError, when there is none."""
    chats = list(_in_folder(path) if path.is_dir() else _in_file(path))
    if not chats:
        raise ValueError(f"{path}: holds no chat with its probing questions")
    digest = hashlib.sha256()
    told = []
    for name, chat, questions in chats:
        digest.update(json.dumps([chat, questions], sort_keys=True, default=str).encode())
        told.append(_conversation(name, chat, questions))
    return data_set("beam", told, sha256=digest.hexdigest())


def _in_folder(path: Path) -> Iterator[tuple[str, Any, Any]]:
    folders = [path] if (path / CHAT).exists() else sorted(path.iterdir(), key=_by_number)
    for folder in folders:
        if (folder / CHAT).exists() and (folder / QUESTIONS).exists():
            chat, questions = (folder / part for part in (CHAT, QUESTIONS))
            yield f"chat-{folder.name.lower()}", _read(chat), _read(questions)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _by_number(folder: Path) -> tuple[bool, int, str]:
    return (not folder.name.isdigit(), int(folder.name) if folder.name.isdigit() else 0, folder.name)


def _in_file(path: Path) -> Iterator[tuple[str, Any, Any]]:
    text = path.read_text(encoding="utf-8-sig")
    if text.lstrip().startswith("["):
        held = json.loads(text)
    else:
        held = [json.loads(line) for line in text.splitlines() if line.strip()]
    for number, one in enumerate(held, start=1):
        name = str(one.get("conversation_id") or one.get("id") or number).lower()
        yield f"chat-{name}", _parsed(one["chat"]), _parsed(one["probing_questions"])


def _parsed(value: Any) -> Any:
    """Return a value that may be written as text, in JSON or as Python writes it."""
    if not isinstance(value, str):
        return value
    with suppress(json.JSONDecodeError):
        return json.loads(value)
    return ast.literal_eval(value)


def _conversation(name: str, chat: Any, questions: Mapping[str, list[Message]]) -> Told:
    turns = _turns(chat)
    if not turns:
        raise ValueError(f"{name}: holds no message")
    asked = [
        Asked(
            text=str(one["question"]),
            category=ability,
            evidence=tuple(str(number) for number in _numbers(one.get("source_chat_ids"))),
        )
        for ability, those in questions.items()
        for one in those
    ]
    return put_together(name, turns, asked, tenant=name, user_id="user")


def _turns(chat: Any) -> list[Turn]:
    """Return the messages in order, session by session; of a number that occurs twice the first is meant."""
    turns: list[Turn] = []
    taken: set[str] = set()
    moment: datetime | None = None
    for number, session in enumerate(_sessions(chat)):
        anchor = _anchor(session) or moment or FIRST
        moment = anchor if moment is None else max(anchor, moment)
        for message in session:
            text = str(message.get("content") or "")
            if text.strip():
                known = str(message.get("id"))
                own = known if known not in taken else f"{known} again at {len(turns)}"
                taken.add(own)
                role = "user" if str(message.get("role")).lower() == "user" else "assistant"
                turns.append(
                    Turn(id=own, session_id=f"session-{number}", speaker="", text=text, occurred_at=moment, role=role)
                )
                moment += timedelta(minutes=1)
    return turns


def _sessions(chat: Any) -> Iterator[list[Message]]:
    """Yield the sessions: the parts of the chat; a chat that is messages and nothing else is one session."""
    parts = list(chat.values()) if isinstance(chat, Mapping) else chat
    if all(isinstance(part, Mapping) and "content" in part for part in parts):
        yield list(parts)
    else:
        yield from (list(_messages(part)) for part in parts)


def _messages(value: Any) -> Iterator[Message]:
    """Yield the messages within lists and within parts with names, however deep."""
    if isinstance(value, Mapping) and "content" in value:
        yield value
    elif isinstance(value, Mapping | list):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _messages(one)


def _anchor(session: list[Message]) -> datetime | None:
    """Return the date that a session's messages name first."""
    for message in session:
        written = str(message.get("time_anchor") or "").strip()
        for form in ANCHOR_FORMATS:
            with suppress(ValueError):
                return datetime.strptime(written, form).replace(tzinfo=UTC)
    return None


def _numbers(value: Any) -> Iterator[int | str]:
    """Yield the numbers in lists and in parts with names, however deep."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int):
        yield value
    elif isinstance(value, str) and re.fullmatch(r"\s*\d+\s*", value):
        yield value.strip()
