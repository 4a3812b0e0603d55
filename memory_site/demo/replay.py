"""Telling the samples to the API. The same replay twice is one: every write carries a key made of sample ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from memory_site.demo.client import Api, Recorded
from memory_site.demo.failure import ApiFailed
from memory_site.demo.samples import SampleSession, SampleTurn, Send

CHANGED = "The samples have changed since they were replayed into {tenant}: start from an empty stack to replay them."


@dataclass(slots=True, kw_only=True)
class Replayed:
    """What a replay wrote, in turns. turn_ids: the API's turn id -> the sample's."""

    new: int = 0
    known: int = 0
    turn_ids: dict[str, str] = field(default_factory=dict)

    def count(self, turns: Sequence[SampleTurn], recorded: Recorded) -> None:
        """Count one answer."""
        if recorded.replayed:
            self.known += len(turns)
        else:
            self.new += len(turns)
        self.turn_ids.update(zip(recorded.turn_ids, (turn.id for turn in turns), strict=True))


def replay(sessions: Sequence[SampleSession], apis: Mapping[str, Api]) -> Replayed:
    """Write every session to its tenant, in order; apis: tenant -> its API.

    Raises ApiFailed, when a write is refused.
    """
    done = Replayed()
    for session in sessions:
        try:
            _replay_session(session, apis[session.tenant], done)
        except ApiFailed as failure:
            if failure.status == httpx.codes.CONFLICT:
                raise ApiFailed(CHANGED.format(tenant=session.tenant), status=failure.status) from failure
            raise
    return done


def body(session: SampleSession, turn: SampleTurn) -> dict[str, Any]:
    """Return a turn as the API takes it; what is not said is left out."""
    said = {
        "user_id": session.user_id,
        "session_id": session.session_id,
        "agent_id": session.agent_id,
        "role": turn.role,
        "speaker": turn.speaker,
        "content": turn.content,
        "occurred_at": turn.occurred_at.isoformat(),
    }
    return {name: value for name, value in said.items() if value}


def batch_key(session: SampleSession) -> str:
    """Return the Idempotency-Key of a session sent as a whole."""
    return f"sample:{session.id}"


def turn_key(turn: SampleTurn) -> str:
    """Return the Idempotency-Key of a turn sent by itself."""
    return f"sample:{turn.id}"


def _replay_session(session: SampleSession, api: Api, done: Replayed) -> None:
    if session.send is Send.BATCH:
        turns = [body(session, turn) for turn in session.turns]
        done.count(session.turns, api.record_batch(turns, idempotency_key=batch_key(session)))
        return
    for turn in session.turns:
        done.count([turn], api.record(body(session, turn), idempotency_key=turn_key(turn)))
