"""Dead letters: seen, and made due again."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from memories.models import OutboxEntry
from memories.services.wake import wake
from tenants.scope import Scope, ScopeDenied
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_operator, open_scope


def retry_dead_letters(
    scope: Scope, *, kind: str | None = None, ids: Sequence[UUID] | None = None, now: datetime
) -> int:
    """Make dead letters of the scope's tenant due again, and return how many.

    kind: of this kind only. ids: these entries only.
    Raises ScopeDenied, when the scope is one user's.
    """
    if scope.subject_id is not None:
        raise ScopeDenied("dead letters are the tenant's affair, not one user's")
    with open_scope(scope):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT memories_retry_dead_letters(%s, %s::uuid[])", [kind, None if ids is None else list(ids)]
            )
            retried = int(cursor.fetchone()[0])
        if retried:
            note_event(scope, "document.retried", data={"documents": retried, "memory_type": kind}, now=now)
            transaction.on_commit(lambda: wake("memories.sync"))
            transaction.on_commit(lambda: wake("memories.embed"))
    return retried


def tenants_with_dead_letters() -> list[UUID]:
    """Return the tenants that have any; for the operator's commands."""
    with open_operator():
        dead = OutboxEntry.objects.filter(dead_at__isnull=False)
        return list(dead.order_by("tenant_id").values_list("tenant_id", flat=True).distinct())
