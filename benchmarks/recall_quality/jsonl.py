"""A file of lines, each a conversation told as a user of its tenant.

`{tenant, user_id?, turns: [{id, session_id, role, speaker?, text, occurred_at}], questions: [{query, evidence: [turn
id], category?}]}`; a turn's text may be called `content`. Without a user_id each line is a user of its own.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.recall_quality.conversations import DataSet, Turn, slug
from benchmarks.recall_quality.told import Asked, Told, put_together

FIRST = datetime(2025, 1, 1, tzinfo=UTC)
"""Where turns are without a date, they come a minute apart from here on."""
UNNAMED = "all others"


def load_jsonl(path: Path) -> DataSet:
    """Read a file of lines. Raises ValueError, when a line is no such conversation; it names the line."""
    raw = path.read_bytes()
    told = []
    for number, line in enumerate(raw.decode("utf-8-sig").splitlines(), start=1):
        if line.strip():
            try:
                told.append(_conversation(json.loads(line), number))
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise ValueError(f"{path.name}, line {number}: {type(error).__name__}: {error}") from error
    if not told:
        raise ValueError(f"{path.name}: holds no conversation")
    return data_set("jsonl", told, sha256=hashlib.sha256(raw).hexdigest())


def data_set(name: str, told: list[Told], *, sha256: str) -> DataSet:
    """Return conversations as a set; their categories in the order in which they come."""
    conversations = tuple(one.conversation for one in told)
    questions = [question for conversation in conversations for question in conversation.questions]
    return DataSet(
        name=name,
        conversations=conversations,
        categories=tuple(dict.fromkeys(question.category for question in questions)),
        dropped=sum(one.dropped for one in told),
        not_user=sum(one.not_user for one in told),
        unanswerable=sum(one.unanswerable for one in told),
        sha256=sha256,
    )


def _conversation(held: Mapping[str, Any], number: int) -> Told:
    tenant = slug(str(held.get("tenant") or f"line-{number}"))
    turns = list(_turns(held["turns"]))
    if not turns:
        raise ValueError("turns: holds no text")
    return put_together(
        f"{tenant}-{number}",
        turns,
        [
            Asked(
                text=str(asked["query"]),
                category=str(asked.get("category") or UNNAMED),
                evidence=tuple(str(turn) for turn in asked.get("evidence") or ()),
            )
            for asked in held.get("questions") or ()
        ],
        tenant=tenant,
        user_id=str(held.get("user_id") or f"user-{number}"),
    )


def _turns(turns: list[Mapping[str, Any]]) -> Iterator[Turn]:
    for place, said in enumerate(turns):
        text = str(said.get("text") or said.get("content") or "")
        if text.strip():
            yield Turn(
                id=str(said["id"]),
                session_id=str(said.get("session_id") or "session"),
                speaker=str(said.get("speaker") or ""),
                text=text,
                occurred_at=_moment(said.get("occurred_at"), place),
                role=str(said.get("role") or "user"),
            )


def _moment(written: str | None, place: int) -> datetime:
    if not written:
        return FIRST + place * timedelta(minutes=1)
    moment = datetime.fromisoformat(written)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
