"""Sync: bring what the outbox names to the search engine.

A pass claims by lease and holds no transaction while it speaks to the engine. A crash at any point
leaves the entries to the next pass; versions make a repeated or late write harmless.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backends.errors import BackendError
from backends.search.base import Change, Outcome, SearchEngine, State
from memories.documents.registry import body_of
from memories.models import OutboxEntry
from memories.services import outbox
from memories.services.searched import rows_with_vectors
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPass:
    """What one pass did, in entries."""

    claimed: int = 0
    applied: int = 0
    failed: int = 0


def sync(engine: SearchEngine, *, model: str, limit: int = 200, now: datetime) -> SyncPass:
    """Run one pass over at most `limit` due entries; model: whose vectors the documents carry.

    1. Claim. 2. Look the rows up again. 3. Apply: a document as it is now, or its removal.
    4. Settle what the engine confirmed; hand on to the embedder what has no vector yet; put the rest off. So text is
    searchable before its vector is there, and nobody's text waits for another's vectors.
    """
    outbox.leave_visible(engine.visible_after_s, now=now)
    entries = outbox.claim(limit, now=now)
    if not entries:
        return SyncPass()
    with open_operator():
        rows = rows_with_vectors([(entry.kind, entry.object_id) for entry in entries], model=model)
    rows = {key: row for key, row in rows.items() if is_searchable(row)}
    try:
        outcomes = engine.apply([_change(entry, rows.get((entry.kind, entry.object_id))) for entry in entries])
    except BackendError as error:
        log.warning("sync: the engine did not take %d changes: %s", len(entries), type(error).__name__)
        outbox.put_off(entries, code=type(error).__name__, now=now)
        return SyncPass(claimed=len(entries), failed=len(entries))
    done, undone = _sorted_out(entries, outcomes)
    bare = {key for key, row in rows.items() if row.embedding is None}
    outbox.settle(
        [entry for entry in done if (entry.kind, entry.object_id) not in bare],
        visible_after_s=engine.visible_after_s,
        now=now,
    )
    for code, failed in undone.items():
        log.warning("sync: %d changes were not applied: %s", len(failed), code)
        outbox.put_off(failed, code=code, now=now)
    outbox.await_vector([entry for entry in done if (entry.kind, entry.object_id) in bare])
    return SyncPass(claimed=len(entries), applied=len(done), failed=sum(map(len, undone.values())))


def is_searchable(row: Any) -> bool:
    """Say whether a row has a document: a memory that is not accepted yet has none."""
    return getattr(row, "accepted_at", row.recorded_at) is not None


def _change(entry: OutboxEntry, row: Any) -> Change:
    """Return the change that makes the engine equal to the row: its document, or its removal."""
    return Change(
        tenant_id=entry.tenant_id,
        kind=entry.kind,
        id=entry.object_id,
        version=row.doc_version if row else entry.doc_version,
        body=body_of(row) if row else None,
    )


def _sorted_out(
    entries: Sequence[OutboxEntry], outcomes: Sequence[Outcome]
) -> tuple[list[OutboxEntry], dict[str, list[OutboxEntry]]]:
    """Return the entries whose version the engine holds, and the others by reason."""
    done: list[OutboxEntry] = []
    undone: dict[str, list[OutboxEntry]] = {}
    for entry, outcome in zip(entries, outcomes, strict=True):
        if outcome.state in (State.APPLIED, State.STALE):
            done.append(entry)
        else:
            undone.setdefault(f"{outcome.state.value}:{outcome.reason}"[:64], []).append(entry)
    return done, undone
