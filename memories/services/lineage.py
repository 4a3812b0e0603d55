"""Lineage: the rows that are one memory, said better, ended or restored; a contradiction begins another one."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from memories.models import Memory
from memories.models.memory import WAITING, Status

COPYING = ("correct", "invalidate", "restore")
"""The verbs whose successor is the same memory."""
_ANCESTORS = """
    WITH RECURSIVE own (id) AS (
        SELECT unnest(%s::uuid[])
        UNION
        SELECT earlier.id FROM own CROSS JOIN LATERAL (
            SELECT edge.parent_id FROM memories_source edge
            WHERE edge.memory_id = own.id AND edge.relation = 'supersedes' AND edge.method = ANY (%s::text[])
            UNION ALL
            SELECT copy.restores_id FROM memories_memory copy WHERE copy.id = own.id
        ) AS earlier (id) WHERE earlier.id IS NOT NULL
    )
    SELECT id FROM own
"""
_LATER = """
    WITH RECURSIVE own (id) AS (
        SELECT unnest(%s::uuid[])
        UNION
        SELECT later.id FROM own CROSS JOIN LATERAL (
            SELECT edge.memory_id FROM memories_source edge
            WHERE edge.parent_id = own.id AND edge.relation = 'supersedes' AND edge.method = ANY (%s::text[])
            UNION ALL
            SELECT copy.id FROM memories_memory copy WHERE copy.restores_id = own.id
        ) AS later (id)
    )
    SELECT id FROM own
"""


def with_ancestors(memory_ids: Iterable[UUID]) -> set[UUID]:
    """Return memories with all earlier rows of which they are copies. The scope is open."""
    return _ids(_ANCESTORS, list(memory_ids))


def with_later_rows(memory_id: UUID) -> set[UUID]:
    """Return a memory with all later rows that are copies of it. The scope is open."""
    return with_all_later_rows([memory_id])


def with_all_later_rows(memory_ids: Iterable[UUID]) -> set[UUID]:
    """Return memories with all later rows that are copies of them. The scope is open."""
    return _ids(_LATER, list(memory_ids))


def stands(memory_id: UUID) -> bool:
    """Say whether a memory is still held to have been true: its latest row was not retracted."""
    own = with_later_rows(memory_id)
    rows = list(Memory.objects.filter(id__in=own).values_list("id", "status", "superseded_by_id", "restores_id"))
    restored = {restores_id for *_, restores_id in rows}
    return any(
        status in (Status.ACTIVE, *WAITING)
        or (status == Status.ARCHIVED and row_id not in restored)
        or (status == Status.SUPERSEDED and successor not in own)
        for row_id, status, successor, _ in rows
    )


def _ids(statement: str, start: list[UUID]) -> set[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [start, list(COPYING)])
        return {row[0] for row in cursor.fetchall()}
