"""Marked: the memories that lost evidence and wait for their rebuild, of all tenants."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection

from tenants.services.open_scope import open_operator

_MARKED = """
    SELECT m.tenant_id, m.subject_id, m.compartments, m.id
    FROM memories_memory m JOIN tenants_tenant t ON t.id = m.tenant_id
        LEFT JOIN tenants_subject s ON s.tenant_id = m.tenant_id AND s.id = m.subject_id
    WHERE m.rebuild_due_at IS NOT NULL AND m.status IN ('active', 'pending', 'quarantined')
        AND t.suspended_at IS NULL AND t.offboarding_at IS NULL AND s.erased_at IS NULL
        AND (%(tenant)s::uuid IS NULL OR m.tenant_id = %(tenant)s)
    ORDER BY m.rebuild_due_at, m.id LIMIT %(limit)s
"""
AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """One of them, and in which scope it is rebuilt."""

    tenant_id: UUID
    subject_id: UUID | None
    compartments: tuple[str, ...]
    memory_id: UUID


def marked(tenant_id: UUID | None = None) -> list[Marked]:
    """Return the oldest, of one tenant where named. Only the worker's login may ask."""
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(_MARKED, {"tenant": tenant_id, "limit": AT_ONCE})
        found: list[tuple[UUID, UUID | None, list[str], UUID]] = cursor.fetchall()
    return [
        Marked(tenant_id=tenant, subject_id=subject, compartments=tuple(compartments), memory_id=memory)
        for tenant, subject, compartments, memory in found
    ]
