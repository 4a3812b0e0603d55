"""The backlog of sync, as one tenant sees it."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from memories.models import OutboxEntry
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Documents that searches may not show yet, and the age of the oldest in seconds (None: no backlog).

    dead_letters: documents that the engine or the embedder will not take; they are not pending.
    """

    pending: int
    oldest_s: float | None
    dead_letters: int


def backlog(scope: Scope, *, now: datetime) -> Backlog:
    """Return the scope's own backlog."""
    with open_scope(scope):
        alive = Q(dead_at__isnull=True)
        counted = OutboxEntry.objects.aggregate(
            pending=Count("id", filter=alive),
            oldest=Min("created_at", filter=alive),
            dead_letters=Count("id", filter=~alive),
        )
    oldest = counted["oldest"]
    return Backlog(
        pending=counted["pending"],
        oldest_s=(now - oldest).total_seconds() if oldest is not None else None,
        dead_letters=counted["dead_letters"],
    )
