"""The outbox as a queue: claim, settle, put off. A queue is a query."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Q

from memories.models import OutboxEntry
from tenants.services.open_scope import open_operator

LEASE = timedelta(seconds=60)
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
VISIBLE_MARGIN_S = 1.0


def claim(limit: int, *, awaiting_vector: bool = False, now: datetime) -> list[OutboxEntry]:
    """Lease at most `limit` due entries, oldest first; what another drain holds is skipped.

    awaiting_vector: those whose text the engine has and that wait for the embedder, in place of the others.
    """
    with open_operator():
        free = Q(claimed_until__isnull=True) | Q(claimed_until__lt=now)
        entries = list(
            OutboxEntry.objects.select_for_update(skip_locked=True)
            .filter(free, applied_at__isnull=True, due_at__lte=now, awaiting_vector=awaiting_vector)
            .order_by("due_at", "id")[:limit]
        )
        OutboxEntry.objects.filter(id__in=[entry.id for entry in entries]).update(claimed_until=now + LEASE)
    return entries


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
        UPDATE memories_outboxentry AS held SET awaiting_vector = true, claimed_until = NULL, attempts = 0, error = ''
        FROM
    """
    _run(entries, verb, [])


def put_off(entries: Sequence[OutboxEntry], *, code: str, now: datetime) -> None:
    """Make entries due later, each time twice as late, up to a minute; code: why, without personal text."""
    verb = """
        UPDATE memories_outboxentry AS held
        SET due_at = %s + make_interval(secs => least(%s * 2 ^ least(attempts, 10), %s)),
            attempts = attempts + 1, claimed_until = NULL, error = %s
        FROM
    """
    _run(entries, verb, [now, FIRST_PAUSE_S, LONGEST_PAUSE_S, code[:64]])


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


def _run(entries: Sequence[OutboxEntry], verb: str, parameters: Sequence[Any]) -> None:
    """Run a statement on entries that still stand at the version they were claimed with."""
    claimed = " unnest(%s::uuid[], %s::bigint[]) AS claimed (id, doc_version)"
    same = " WHERE held.id = claimed.id AND held.doc_version = claimed.doc_version"
    ids, versions = [entry.id for entry in entries], [entry.doc_version for entry in entries]
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(verb + claimed + same, [*parameters, ids, versions])
