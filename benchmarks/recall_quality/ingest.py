"""Telling conversations to the API."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from benchmarks.recall_quality.conversations import Conversation, Turn
from memory_site.demo.client import Api

BATCH_MAX_TURNS = 500
SEARCHABLE_WITHIN_S = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What was written. turn_ids: conversation -> the API's turn id -> the set's.

    turns counts new turns only; recorded_s is the time of the requests, searchable_s from the first request
    until the engine showed everything.
    """

    turn_ids: Mapping[str, Mapping[str, str]]
    turns: int
    replayed: int
    recorded_s: float
    searchable_s: float


def ingest(conversations: Sequence[Conversation], apis: Mapping[str, Api]) -> Ingested:
    """Write every conversation session by session, then wait until everything is searchable."""
    turn_ids: dict[str, dict[str, str]] = {}
    turns = replayed = 0
    begin = time.perf_counter()
    for conversation in conversations:
        known = turn_ids.setdefault(conversation.id, {})
        for key, batch in batches(conversation):
            bodies = [body(conversation, turn) for turn in batch]
            recorded = apis[conversation.tenant].record_batch(bodies, idempotency_key=key)
            known.update(zip(recorded.turn_ids, (turn.id for turn in batch), strict=True))
            replayed += len(batch) if recorded.replayed else 0
            turns += 0 if recorded.replayed else len(batch)
    recorded_s = time.perf_counter() - begin
    for api in apis.values():
        api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
    return Ingested(
        turn_ids=turn_ids,
        turns=turns,
        replayed=replayed,
        recorded_s=recorded_s,
        searchable_s=time.perf_counter() - begin,
    )


def batches(conversation: Conversation) -> list[tuple[str, tuple[Turn, ...]]]:
    """Return the requests: per session one or, if it is very long, several; each with its Idempotency-Key."""
    found: list[tuple[str, tuple[Turn, ...]]] = []
    for session_id, session in groupby(conversation.turns, key=lambda turn: turn.session_id):
        turns = tuple(session)
        for start in range(0, len(turns), BATCH_MAX_TURNS):
            key = f"recall-quality:{conversation.id}:{session_id}:{start}"
            found.append((key, turns[start : start + BATCH_MAX_TURNS]))
    return found


def body(conversation: Conversation, turn: Turn) -> dict[str, Any]:
    """Return a turn as the API takes it. A session has one date; the order within it is the order sent."""
    speaker = {"speaker": turn.speaker} if turn.speaker else {}
    return {
        "user_id": conversation.user_id,
        "session_id": turn.session_id,
        "role": turn.role,
        **speaker,
        "content": turn.text,
        "occurred_at": turn.occurred_at.isoformat(),
    }
