"""The labelled set: turns of conversations, and what should become of each.

{"conversations": [{"id", "language", "playbooks": [{"id", "trigger", "steps"}], "turns": [turn, …]}, …]}; a turn has
"kind", "role", "content", and where they apply "facts": [[word, …], …], one list for each fact that should be stored
from it, with the words its text must have; "supersedes": [{"old": [word, …], "new": [word, …]}]; "forbidden":
[word, …], which no memory made of an injection may have; "outcome": {"playbook", "success"}.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """One turn and its labels. supersedes: pairs of the words of the old and of the new text."""

    kind: str
    role: str
    content: str
    facts: tuple[Words, ...] = ()
    supersedes: tuple[tuple[Words, Words], ...] = ()
    forbidden: Words = ()
    outcome: tuple[str, bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """A playbook that is known before the conversation."""

    id: str
    trigger: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One user's conversation."""

    id: str
    language: str
    playbooks: tuple[Playbook, ...]
    turns: tuple[LabelledTurn, ...]


def load(files: Sequence[Path]) -> list[Conversation]:
    """Return the conversations of labelled files; ids are told apart by the file's name."""
    return [
        _conversation(f"{file.stem}:{read['id']}", read)
        for file in files
        for read in json.loads(file.read_text(encoding="utf-8"))["conversations"]
    ]


def _conversation(name: str, read: dict[str, Any]) -> Conversation:
    return Conversation(
        id=name,
        language=read["language"],
        playbooks=tuple(
            Playbook(id=one["id"], trigger=one["trigger"], steps=tuple(one["steps"]))
            for one in read.get("playbooks", ())
        ),
        turns=tuple(_turn(turn) for turn in read["turns"]),
    )


def _turn(read: dict[str, Any]) -> LabelledTurn:
    outcome = read.get("outcome")
    return LabelledTurn(
        kind=read["kind"],
        role=read["role"],
        content=read["content"],
        facts=tuple(tuple(words) for words in read.get("facts", ())),
        supersedes=tuple((tuple(one["old"]), tuple(one["new"])) for one in read.get("supersedes", ())),
        forbidden=tuple(read.get("forbidden", ())),
        outcome=(outcome["playbook"], bool(outcome["success"])) if outcome else None,
    )
