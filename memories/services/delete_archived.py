"""Delete archived: rows that nobody asked for since they were archived go, and their documents with them."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.metrics import FORGOTTEN
from memories.models import Memory
from memories.models.memory import Status
from memories.services.wake import wake
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_eraser, open_scope


def delete_archived(scope: Scope, memory_ids: Collection[UUID], *, now: datetime) -> list[UUID]:
    """Delete archived memories with the rows that they superseded, and return which; turns of the archive stay.

    The database itself lets the eraser see none that is on hold, or that a believed memory rests on, or that would
    take such a one along. All or nothing, the event included, whenever a worker dies. Triggers note the removal of
    each document. Only the worker's login may; no scope is open.
    """
    with transaction.atomic():
        with open_eraser():
            rows = Memory.objects.filter(id__in=memory_ids, tenant_id=scope.tenant_id, status=Status.ARCHIVED)
            found = list(rows.order_by("id").values_list("id", "memory_type"))
            ids = [row[0] for row in found]
            Memory.objects.filter(id__in=ids).delete()
        if not ids:
            return []
        with open_scope(scope):
            note_event(scope, "memory.forgotten", object_ids=ids, data={"memories": len(ids)}, now=now)
    for _, kind in found:
        FORGOTTEN.labels("deleted", kind).inc()
    wake("memories.sync")
    return ids
