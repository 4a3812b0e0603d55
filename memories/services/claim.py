"""Claim: lease due entries of the outbox, of every tenant some.

One tenant's import of a hundred thousand turns must not keep another's single one waiting: a pass shares itself out
among all tenants that wait, and what some leave over goes to the others.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from memories.models import OutboxEntry
from tenants.services.open_scope import open_operator

LEASE = timedelta(seconds=60)

_CLAIM = """
    -- The tenants that wait, one look into the index each.
    WITH RECURSIVE busy (tenant_id) AS (
        (SELECT tenant_id FROM memories_outboxentry
         WHERE applied_at IS NULL AND dead_at IS NULL AND awaiting_vector = %(awaiting_vector)s
         ORDER BY tenant_id LIMIT 1)
        UNION ALL
        SELECT (
            SELECT e.tenant_id FROM memories_outboxentry e
            WHERE applied_at IS NULL AND dead_at IS NULL AND awaiting_vector = %(awaiting_vector)s
                AND e.tenant_id > busy.tenant_id
            ORDER BY e.tenant_id LIMIT 1
        ) FROM busy WHERE busy.tenant_id IS NOT NULL
    ), turn AS (
        SELECT tenant_id FROM busy WHERE EXISTS (
            SELECT FROM memories_outboxentry e
            WHERE e.tenant_id = busy.tenant_id AND applied_at IS NULL AND dead_at IS NULL
                AND awaiting_vector = %(awaiting_vector)s AND e.due_at <= %(now)s
                AND (e.claimed_until IS NULL OR e.claimed_until < %(now)s)
        ) ORDER BY random() LIMIT %(limit)s
    ), share AS (
        SELECT ceil(%(limit)s::numeric / greatest(count(*), 1))::bigint AS size FROM turn
    ), picked AS MATERIALIZED (
        SELECT due.id FROM turn CROSS JOIN LATERAL (
            SELECT e.id FROM memories_outboxentry e
            WHERE e.tenant_id = turn.tenant_id AND applied_at IS NULL AND dead_at IS NULL
                AND awaiting_vector = %(awaiting_vector)s AND e.due_at <= %(now)s
                AND (e.claimed_until IS NULL OR e.claimed_until < %(now)s)
            ORDER BY e.due_at, e.id LIMIT (SELECT size FROM share) FOR UPDATE SKIP LOCKED
        ) AS due LIMIT %(limit)s
    )
    UPDATE memories_outboxentry SET claimed_until = %(until)s WHERE id IN (SELECT id FROM picked)
    RETURNING memories_outboxentry.*
"""


def claim(limit: int, *, awaiting_vector: bool = False, now: datetime) -> list[OutboxEntry]:
    """Lease at most `limit` due entries; what another drain holds is skipped.

    Of each tenant its oldest, the tenants in turn, so that whoever stops half-way has served all.
    awaiting_vector: those whose text the engine has and that wait for the embedder, in place of the others.
    """
    claimed: list[OutboxEntry] = []
    with open_operator():
        while len(claimed) < limit:
            found = _claimed(limit - len(claimed), awaiting_vector=awaiting_vector, now=now)
            if not found:
                break
            claimed += found
    return _in_turn(claimed)


def _claimed(limit: int, *, awaiting_vector: bool, now: datetime) -> list[OutboxEntry]:
    asked: dict[str, Any] = {"limit": limit, "awaiting_vector": awaiting_vector, "now": now, "until": now + LEASE}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, asked)
        columns = [column.name for column in cursor.description]
        return [OutboxEntry(**dict(zip(columns, row, strict=True))) for row in cursor.fetchall()]


def _in_turn(entries: Sequence[OutboxEntry]) -> list[OutboxEntry]:
    """Return the first of each tenant, then the second of each, and so on."""
    taken: dict[object, int] = {}
    ranks: dict[object, int] = {}
    for entry in sorted(entries, key=lambda entry: (entry.due_at, entry.id)):
        ranks[entry.id] = taken[entry.tenant_id] = taken.get(entry.tenant_id, -1) + 1
    return sorted(entries, key=lambda entry: (ranks[entry.id], entry.due_at, entry.id))
