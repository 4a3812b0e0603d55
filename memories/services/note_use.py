"""Note that memories were recalled."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from memories.models import Memory
from tenants.ids import uuid7
from tenants.scope import Scope

_COLUMNS = ("tenant_id", "subject_id", "id")
_COUNT = """
    INSERT INTO memories_memoryuse AS held (id, tenant_id, subject_id, memory_id, recalls, last_recalled_at)
    SELECT use_id, tenant_id, subject_id, memory_id, 1, %s
    FROM unnest(%s::uuid[], %s::uuid[], %s::uuid[], %s::uuid[]) AS used (use_id, tenant_id, subject_id, memory_id)
    ON CONFLICT (tenant_id, memory_id) DO UPDATE
        SET recalls = held.recalls + 1, last_recalled_at = EXCLUDED.last_recalled_at
"""


def note_use(scope: Scope, rows: Sequence[Any], *, now: datetime) -> None:
    """Count one recall of each memory among the rows; the memories themselves stay as they are. The scope is open.

    A user's scope may not write what is shared, so its recalls of shared memories are in the event log alone.
    """
    memories = [row for row in rows if isinstance(row, Memory) and scope.subject_id in (None, row.subject_id)]
    used = sorted(memories, key=lambda row: row.id)  # one order against deadlocks
    if not used:
        return
    columns = [[uuid7() for _ in used], *([getattr(row, name) for row in used] for name in _COLUMNS)]
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [now, *columns])
