"""The backlog of sync, as one tenant sees it."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min

from memories.models import OutboxEntry
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Documents that searches may not show yet, and the age of the oldest in seconds (None: no backlog)."""

    pending: int
    oldest_s: float | None


def backlog(scope: Scope, *, now: datetime) -> Backlog:
    """Return the scope's own backlog."""
    with open_scope(scope):
        counted = OutboxEntry.objects.aggregate(pending=Count("id"), oldest=Min("created_at"))
    oldest = counted["oldest"]
    return Backlog(
        pending=counted["pending"], oldest_s=(now - oldest).total_seconds() if oldest is not None else None
    )
