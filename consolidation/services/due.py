"""Due: whose episodes are to be consolidated now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection

from consolidation.models.run import Reason
from tenants.services.open_scope import open_operator

_WAITING = """
    SELECT e.tenant_id, e.subject_id, e.compartments, count(*), min(e.recorded_at), max(e.recorded_at)
    FROM memories_memory e JOIN tenants_subject s ON s.tenant_id = e.tenant_id AND s.id = e.subject_id
        JOIN tenants_tenant t ON t.id = e.tenant_id
    WHERE e.memory_type = 'episodic' AND e.status = 'active' AND e.consolidated_by IS NULL
        AND e.subject_id IS NOT NULL
        AND s.erased_at IS NULL AND t.suspended_at IS NULL AND t.offboarding_at IS NULL
        AND (%(tenant)s::uuid IS NULL OR e.tenant_id = %(tenant)s)
        AND (%(subject)s::uuid IS NULL OR e.subject_id = %(subject)s)
    GROUP BY 1, 2, 3 ORDER BY 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A user's episodes in one set of compartments, and why they are due."""

    tenant_id: UUID
    subject_id: UUID
    compartments: tuple[str, ...]
    episodes: int
    reason: Reason


def due(*, now: datetime) -> list[Due]:
    """Return what is due: after CONSOLIDATE_AFTER_TURNS episodes, when a user has been quiet, or after a day at most.

    What belongs to no user is nobody's statement about himself and is never due. Only the worker's login may ask.
    """
    found = []
    for tenant_id, subject_id, compartments, episodes, first, last in _waiting(None, None):
        reason = None
        if episodes >= settings.CONSOLIDATE_AFTER_TURNS:
            reason = Reason.COUNT
        elif now - last >= timedelta(seconds=settings.CONSOLIDATE_QUIET_S):
            reason = Reason.QUIET
        elif now - first >= timedelta(hours=settings.CONSOLIDATE_AFTER_HOURS):
            reason = Reason.AGE
        if reason is not None:
            found.append(_due(tenant_id, subject_id, compartments, episodes, reason))
    return found


def asked(tenant_id: UUID | None, subject_id: UUID | None = None) -> list[Due]:
    """Return everything that waits, of one tenant or user where named, for somebody asked for it."""
    return [_due(*row[:4], Reason.ASKED) for row in _waiting(tenant_id, subject_id)]


def _waiting(
    tenant_id: UUID | None, subject_id: UUID | None
) -> list[tuple[UUID, UUID, list[str], int, datetime, datetime]]:
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(_WAITING, {"tenant": tenant_id, "subject": subject_id})
        found: list[tuple[UUID, UUID, list[str], int, datetime, datetime]] = cursor.fetchall()
        return found


def _due(tenant_id: UUID, subject_id: UUID, compartments: list[str], episodes: int, reason: Reason) -> Due:
    return Due(
        tenant_id=tenant_id, subject_id=subject_id, compartments=tuple(compartments), episodes=episodes, reason=reason
    )
