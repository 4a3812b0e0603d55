"""The samples as values: sessions of two tenants, and questions about them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from importlib.resources import files
from typing import Any

TENANTS = ("acme", "globex")
TOP_K = 2


class Send(Enum):
    """How a session reaches the API: as an imported whole, or turn after turn as if it happened now."""

    BATCH = "batch"
    ONE_BY_ONE = "one by one"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTurn:
    """One turn; id names it in the samples only, speaker is empty where the role says enough."""

    id: str
    role: str
    speaker: str
    occurred_at: datetime
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSession:
    """One session in order; id names it in the samples, user_id and session_id are the caller's.

    user_id: None means shared by all users of the tenant.
    """

    id: str
    tenant: str
    user_id: str | None
    session_id: str
    agent_id: str
    send: Send
    turns: tuple[SampleTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that one user of a tenant has.

    expect: ids of turns of which one must be among those asked for; the tests hold recall to it, the demo does not
    look at it. also_ask: another tenant that is asked the same, for the same user_id.
    top_k: how many memories are asked for; most questions have one answer, and further places would show small talk.
    """

    id: str
    tenant: str
    user_id: str
    text: str
    expect: tuple[str, ...]
    also_ask: str | None
    top_k: int = TOP_K


def load_sessions() -> tuple[SampleSession, ...]:
    """Return every sample session, in the order in which they began."""
    found = [_session(tenant, session) for tenant in TENANTS for session in _read(f"{tenant}.json")["sessions"]]
    return tuple(sorted(found, key=lambda session: session.turns[0].occurred_at))


def load_questions() -> tuple[Question, ...]:
    """Return the demo's questions in the order in which they are asked."""
    return tuple(
        Question(
            id=held["id"],
            tenant=held["tenant"],
            user_id=held["user_id"],
            text=held["text"],
            expect=tuple(held["expect"]),
            also_ask=held.get("also_ask"),
            top_k=held.get("top_k", TOP_K),
        )
        for held in _read("questions.json")["questions"]
    )


def _read(name: str) -> Mapping[str, Any]:
    held: Mapping[str, Any] = json.loads((files("memory_site.demo") / "samples" / name).read_text(encoding="utf-8"))
    return held


def _session(tenant: str, held: Mapping[str, Any]) -> SampleSession:
    return SampleSession(
        id=held["id"],
        tenant=tenant,
        user_id=held["user_id"],
        session_id=held["session_id"],
        agent_id=held["agent_id"],
        send=Send(held["send"]),
        turns=tuple(_turn(turn) for turn in held["turns"]),
    )


def _turn(held: Mapping[str, Any]) -> SampleTurn:
    return SampleTurn(
        id=held["id"],
        role=held["role"],
        speaker=held.get("speaker", ""),
        occurred_at=datetime.fromisoformat(held["at"]),
        content=held["content"],
    )
