"""Sync: bring what the outbox names to the search engine.

A pass claims by lease and holds no transaction while it speaks to the embedder or the engine. A crash at any point
leaves the entries to the next pass; versions make a repeated or late write harmless.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from backends.embedders.base import Embedder
from backends.errors import BackendError
from backends.search.base import Change, Outcome, SearchEngine, State
from memories.documents.episodic import body_of
from memories.models import Memory, OutboxEntry
from memories.services import outbox
from memories.services.embed_memories import embed_memories, memories_with_vectors

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPass:
    """What one pass did, in entries."""

    claimed: int = 0
    applied: int = 0
    embedded: int = 0
    failed: int = 0


def sync(engine: SearchEngine, embedder: Embedder, *, limit: int = 200, now: datetime) -> SyncPass:
    """Run one pass over at most `limit` due entries.

    1. Claim. 2. Look the rows up again. 3. Apply: a document as it is now, or its removal.
    4. Settle what the engine confirmed; put the rest off. 5. Embed what has no vector yet: the new vector makes the
    entry due again, so text is searchable before its vector is there.
    """
    outbox.leave_visible(engine.visible_after_s, now=now)
    entries = outbox.claim(limit, now=now)
    if not entries:
        return SyncPass()
    memories = memories_with_vectors([entry.object_id for entry in entries], model=embedder.model)
    changes = [_change(entry, memories.get(entry.object_id)) for entry in entries]
    try:
        outcomes = engine.apply(changes)
    except BackendError as error:
        log.warning("sync: the engine did not take %d changes: %s", len(changes), type(error).__name__)
        outbox.put_off(entries, code=type(error).__name__, now=now)
        return SyncPass(claimed=len(entries), failed=len(entries))
    bare = [memory for memory in memories.values() if memory.embedding is None]
    waiting = {memory.id for memory in bare}
    done, undone = _sorted_out(entries, outcomes)
    outbox.settle(
        [entry for entry in done if entry.object_id not in waiting],
        visible_after_s=engine.visible_after_s,
        now=now,
    )
    for code, failed in undone.items():
        outbox.put_off(failed, code=code, now=now)
    embedded = _embed(bare, [entry for entry in done if entry.object_id in waiting], embedder, now=now)
    return SyncPass(claimed=len(entries), applied=len(done), embedded=embedded, failed=sum(map(len, undone.values())))


def _change(entry: OutboxEntry, memory: "Memory | None") -> Change:
    """Return the change that makes the engine equal to the row: its document, or its removal."""
    return Change(
        tenant_id=entry.tenant_id,
        kind=entry.kind,
        id=entry.object_id,
        version=memory.doc_version if memory else entry.doc_version,
        body=body_of(memory) if memory else None,
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


def _embed(bare: Sequence["Memory"], entries: Sequence[OutboxEntry], embedder: Embedder, *, now: datetime) -> int:
    """Embed memories that have no vector; put their entries off if the embedder is away."""
    if not bare:
        return 0
    try:
        return embed_memories(bare, embedder)
    except BackendError as error:
        log.warning("sync: %d memories wait for the embedder: %s", len(bare), type(error).__name__)
        outbox.put_off(entries, code=f"embedder:{type(error).__name__}", now=now)
        return 0
