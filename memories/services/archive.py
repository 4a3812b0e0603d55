"""Archive: close what is no longer worth a place in recall; the row stays, and can be asked for and restored."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Greatest

from memories.metrics import FORGOTTEN
from memories.models import Memory
from memories.models.memory import Status
from memories.services.wake import wake
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.note_event import EventData, note_event


def archive(scope: Scope, memory_ids: Collection[UUID], *, reason: str, now: datetime) -> list[UUID]:
    """Close those of the memories that are active, and return which; reason: a code for the event. The scope is open.

    What is on hold, or waits to be rebuilt from the evidence it has left, stays as it is.
    """
    held = Memory.objects.select_for_update(no_key=True, of=("self",))
    rows = list(
        held.filter(id__in=memory_ids, status=Status.ACTIVE, on_hold=False, rebuild_due_at__isnull=True)
        .order_by("id")
        .values_list("id", "subject_id", "memory_type")
    )
    if not rows:
        return []
    ids = [row[0] for row in rows]
    told = Value(now, output_field=DateTimeField())
    closed_at = Greatest(told, F("recorded_at"), F("accepted_at"))
    Memory.objects.filter(id__in=ids).update(status=Status.ARCHIVED, closed_at=closed_at)
    subjects = Subject.objects.in_bulk({row[1] for row in rows if row[1] is not None})
    for subject_id in dict.fromkeys(row[1] for row in rows):
        own = [row[0] for row in rows if row[1] == subject_id]
        data: EventData = {"reason": reason, "memories": len(own)}
        note_event(scope, "memory.archived", object_ids=own, subject=subjects.get(subject_id), data=data, now=now)
    transaction.on_commit(lambda: _told([row[2] for row in rows]))
    return ids


def _told(kinds: list[str]) -> None:
    for kind in kinds:
        FORGOTTEN.labels("archived", kind).inc()
    wake("memories.sync")
