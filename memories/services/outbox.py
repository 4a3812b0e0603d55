"""The outbox as a queue: settle, put off, give up. memories.services.claim takes from it. A queue is a query."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from memories.models import OutboxEntry
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import EventData, note_event
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
VISIBLE_MARGIN_S = 1.0
FAILURES_MAX = 10
"""So often an entry may fail for its own sake, over some minutes, before it is given up."""


def settle(entries: Sequence[OutboxEntry], *, visible_after_s: float, now: datetime) -> None:
    """Mark what the engine confirmed; an entry whose version moved on meanwhile stays due.

    visible_after_s: 0 removes the entry at once; otherwise it stays until searches are sure to see the document.
    """
    if visible_after_s:
        verb = "UPDATE memories_outboxentry AS held SET applied_at = %s, claimed_until = NULL, error = '' FROM"
        _run(entries, verb, [now])
    else:
        _run(entries, "DELETE FROM memories_outboxentry AS held USING", [])


def await_vector(entries: Sequence[OutboxEntry]) -> None:
    """Hand entries whose text the engine confirmed on to the embedder."""
    verb = """
        UPDATE memories_outboxentry AS held
        SET awaiting_vector = true, claimed_until = NULL, attempts = 0, failures = 0, error = ''
        FROM
    """
    _run(entries, verb, [])


def put_off(entries: Sequence[OutboxEntry], *, code: str, now: datetime, to_blame: bool = False) -> None:
    """Make entries due later, each time twice as late, up to a minute.

    code: why, without personal text. to_blame: they failed for their own sake, and are given up after FAILURES_MAX.
    """
    verb = """
        UPDATE memories_outboxentry AS held
        SET due_at = %s + make_interval(secs => least(%s * 2 ^ least(attempts, 10), %s)),
            attempts = attempts + 1, claimed_until = NULL, error = %s, failures = failures + %s,
            dead_at = CASE WHEN failures + %s >= %s THEN %s::timestamptz END
        FROM
    """
    blame = int(to_blame)
    parameters = [now, FIRST_PAUSE_S, LONGEST_PAUSE_S, code[:64], blame, blame, FAILURES_MAX, now]
    with open_operator():
        _note_dead(_run(entries, verb, parameters), code=code, now=now)


def give_up(entries: Sequence[OutboxEntry], *, code: str, now: datetime) -> None:
    """Make entries dead letters: nobody claims them until they are retried or their rows change; code: as above."""
    verb = """
        UPDATE memories_outboxentry AS held
        SET dead_at = %s, attempts = attempts + 1, failures = failures + 1, claimed_until = NULL, error = %s
        FROM
    """
    with open_operator():
        _note_dead(_run(entries, verb, [now, code[:64]]), code=code, now=now)


def hand_back(entries: Sequence[OutboxEntry], *, awaiting_vector: bool = False) -> None:
    """Let go of claimed entries: for the embedder, or for the drain that applies them."""
    _run(
        entries,
        "UPDATE memories_outboxentry AS held SET claimed_until = NULL, awaiting_vector = %s FROM",
        [awaiting_vector],
    )


def leave_visible(visible_after_s: float, *, now: datetime) -> None:
    """Remove entries that were applied long enough ago for every search to see their documents."""
    if visible_after_s:
        before = now - timedelta(seconds=visible_after_s + VISIBLE_MARGIN_S)
        with open_operator():
            OutboxEntry.objects.filter(applied_at__lt=before).delete()


Changed = tuple[UUID, str, UUID]
"""Tenant, kind and object of an entry that a statement made a dead letter."""


def _run(entries: Sequence[OutboxEntry], verb: str, parameters: Sequence[Any]) -> list[Changed]:
    """Run a statement on entries that still stand at the version they were claimed with; return the dead of them."""
    if not entries:
        return []
    claimed = " unnest(%s::uuid[], %s::bigint[]) AS claimed (id, doc_version)"
    same = " WHERE held.id = claimed.id AND held.doc_version = claimed.doc_version"
    found = " RETURNING held.tenant_id, held.kind, held.object_id, held.dead_at IS NOT NULL"
    ids, versions = [entry.id for entry in entries], [entry.doc_version for entry in entries]
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(verb + claimed + same + found, [*parameters, ids, versions])
        return [row[:3] for row in cursor.fetchall() if row[3]]


def _note_dead(dead: Sequence[Changed], *, code: str, now: datetime) -> None:
    """Raise the alarm about new dead letters: in the log, and as one event a tenant and kind."""
    of: defaultdict[tuple[UUID, str], list[UUID]] = defaultdict(list)
    for tenant_id, kind, object_id in dead:
        of[tenant_id, kind].append(object_id)
    for (tenant_id, kind), ids in of.items():
        log.error("sync: %d documents (%s) of tenant %s are dead letters: %s", len(ids), kind, tenant_id, code)
        data: EventData = {"memory_type": kind, "reason": code[:64], "documents": len(ids)}
        note_event(system_scope(tenant_id), "document.given_up", object_ids=ids, data=data, now=now)
