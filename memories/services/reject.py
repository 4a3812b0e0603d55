"""Reject: a memory that waited, pending or in quarantine, is never believed."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory
from memories.models.memory import WAITING, Status
from memories.services.evidence_lost import evidence_lost
from memories.services.find_memory import MemoryNotOpen, lock_memory
from memories.services.moment import moment
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen


def reject(scope: Scope, memory_id: UUID, *, now: datetime) -> None:
    """Close a memory that waits; what rests on it alone goes with it, seen or not.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it does not wait.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_memory(scope, memory_id)
        if memory.status not in WAITING:
            raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; only one that waits is rejected")
        now = moment(now, memory)
        Memory.objects.filter(id=memory.id).update(status=Status.REJECTED, closed_at=now)
        data = {"before": memory.status}
        note_event(scope, "memory.rejected", object_ids=[memory.id], subject=memory.subject, data=data, now=now)
        with open_unseen(scope):
            evidence_lost(scope, [memory], reason="rejected", now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
