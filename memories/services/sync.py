"""Sync: bring what the outbox names to the search engine.

A pass claims by lease and holds no transaction while it speaks to the engine. A crash at any point
leaves the entries to the next pass; versions make a repeated or late write harmless.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.errors import BackendError
from backends.search.base import SearchEngine
from backends.search.changes import Change, Outcome, State
from memories.documents.registry import UNMAKEABLE, body_of
from memories.models import OutboxEntry
from memories.services import outbox
from memories.services.claim import claim
from memories.services.searched import Key, is_searchable, lacks_vectors, rows_with_vectors
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPass:
    """What one pass did, in entries. failed: put off. given_up: made dead letters."""

    claimed: int = 0
    applied: int = 0
    failed: int = 0
    given_up: int = 0


def sync(
    engine: SearchEngine, *, model: str, token_model: str | None = None, limit: int = 200, now: datetime
) -> SyncPass:
    """Run one pass over at most `limit` due entries; model: whose vectors the documents carry.

    token_model: whose tokens memories have beside; None: none are made.

    1. Claim. 2. Look the rows up again. 3. Apply: a document as it is now, or its removal.
    4. Settle what the engine confirmed; hand on to the embedder what has no vector yet; give up what the engine will
    never take, and put the rest off. So text is searchable before its vector is there, nobody's text waits for
    another's vectors, and a document that is poison harms no other.
    """
    outbox.leave_visible(engine.visible_after_s, now=now)
    entries = claim(limit, now=now)
    if not entries:
        return SyncPass()
    with open_operator():
        rows = rows_with_vectors(
            [(entry.kind, entry.object_id) for entry in entries], model=model, token_model=token_model
        )
    rows = {key: row for key, row in rows.items() if is_searchable(row)}
    changes, unmade = _changes(entries, rows)
    try:
        outcomes = engine.apply(list(changes.values()))
    except BackendError as error:
        log.warning("sync: the engine did not take %d changes: %s", len(entries), type(error).__name__)
        outbox.put_off(entries, code=type(error).__name__, now=now)
        return SyncPass(claimed=len(entries), failed=len(entries))
    ended = _by_end([entry for entry in entries if entry.id in changes], outcomes)
    done = ended.pop((State.APPLIED, ""), [])
    bare = {key for key, row in rows.items() if lacks_vectors(row)}
    outbox.settle(
        [entry for entry in done if (entry.kind, entry.object_id) not in bare],
        visible_after_s=engine.visible_after_s,
        now=now,
    )
    outbox.await_vector([entry for entry in done if (entry.kind, entry.object_id) in bare])
    ended.update({(State.REJECTED, code): poison for code, poison in unmade.items()})
    for (state, code), left in ended.items():
        _leave(left, state, code=code, now=now)
    given_up = sum(len(left) for (state, _), left in ended.items() if state is State.REJECTED)
    return SyncPass(
        claimed=len(entries), applied=len(done), failed=len(entries) - len(done) - given_up, given_up=given_up
    )


def _changes(
    entries: Sequence[OutboxEntry], rows: Mapping[Key, Any]
) -> tuple[dict[UUID, Change], dict[str, list[OutboxEntry]]]:
    """Return the change of each entry by its id, and by reason the entries of rows no document can be made of."""
    changes: dict[UUID, Change] = {}
    unmade: dict[str, list[OutboxEntry]] = {}
    for entry in entries:
        try:
            changes[entry.id] = change_to(entry, rows.get((entry.kind, entry.object_id)))
        except UNMAKEABLE as error:
            # A fault of ours that one row brings out; the other rows of the pass shall not wait for its mending.
            log.exception("sync: no document can be made of %s %s", entry.kind, entry.object_id)
            unmade.setdefault(f"prepare:{type(error).__name__}", []).append(entry)
    return changes, unmade


def change_to(entry: OutboxEntry, row: Any) -> Change:
    """Return the change that makes the engine equal to the row: its document, or its removal."""
    return Change(
        tenant_id=entry.tenant_id,
        kind=entry.kind,
        id=entry.object_id,
        version=row.doc_version if row else entry.doc_version,
        body=body_of(row) if row else None,
    )


def _by_end(
    entries: Sequence[OutboxEntry], outcomes: Sequence[Outcome]
) -> dict[tuple[State, str], list[OutboxEntry]]:
    """Return the entries by how they ended and why; under (APPLIED, "") those whose version the engine holds."""
    ended: dict[tuple[State, str], list[OutboxEntry]] = {}
    for entry, outcome in zip(entries, outcomes, strict=True):
        confirmed = outcome.state in (State.APPLIED, State.STALE)
        end = (State.APPLIED, "") if confirmed else (outcome.state, f"{outcome.state.value}:{outcome.reason}")
        ended.setdefault(end, []).append(entry)
    return ended


def _leave(entries: Sequence[OutboxEntry], state: State, *, code: str, now: datetime) -> None:
    """Give up or put off entries that were not applied."""
    if state is State.REJECTED:
        outbox.give_up(entries, code=code, now=now)
    else:
        log.warning("sync: %d changes were not applied: %s", len(entries), code)
        outbox.put_off(entries, code=code, now=now, to_blame=state is State.CONFLICT)
