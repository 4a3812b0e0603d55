"""Accept: a memory that waited, pending or in quarantine, is believed from now on."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from memories.models import Memory, Source
from memories.models.memory import WAITING, Contradiction, Status
from memories.services.add_sources import superseding
from memories.services.conflicts import conflict_of
from memories.services.find_memory import MemoryNotOpen, find_memory, lock_memory, lock_open
from memories.services.moment import moment
from memories.services.new_memory import DIRECT
from memories.services.supersede import close_for
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def accept(scope: Scope, memory_id: UUID, *, supersedes_id: UUID | None = None, now: datetime) -> Memory:
    """Make a pending or quarantined memory active, in the place of another where named.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it does not wait, or the other one is closed;
    SlotTaken or TextTaken, when another active memory holds its slot or says the same.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_memory(scope, memory_id)
        if memory.status not in WAITING:
            raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; only one that waits is accepted")
        old = lock_open(scope, supersedes_id) if supersedes_id is not None else None
        now = moment(now, memory, *([old] if old is not None else []))
        try:
            with transaction.atomic():
                if old is not None:
                    ended_at = max(memory.valid_from, old.valid_from)
                    close_for(old, memory.id, contradiction=Contradiction.NATURAL, ended_at=ended_at, now=now)
                    Source.objects.bulk_create([superseding(memory, old, method=DIRECT, now=now)])
                Memory.objects.filter(id=memory.id).update(status=Status.ACTIVE, accepted_at=now)
        except IntegrityError as error:
            met = conflict_of(error)
            if met is None:
                raise
            raise met from error
        ids = [memory.id, *([old.id] if old is not None else [])]
        data = {"before": memory.status}
        note_event(scope, "memory.accepted", object_ids=ids, subject=memory.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, memory.id)
