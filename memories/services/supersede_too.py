"""Supersede too: a new memory takes the place of one more than the one it was learnt for."""

from datetime import datetime
from uuid import UUID

from memories.models import Memory, Source
from memories.models.memory import Contradiction
from memories.services.add_sources import superseding
from memories.services.find_memory import lock_open
from memories.services.new_memory import DIRECT
from memories.services.supersede import close_for
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def supersede_too(scope: Scope, memory: Memory, old_id: UUID, *, now: datetime) -> None:
    """Close one more memory that ceased to be true when a new one, of the same user, began to be.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        old = lock_open(scope, old_id)
        contradiction = Contradiction.NATURAL
        ended_at = max(memory.valid_from, old.valid_from)
        close_for(old, memory.id, contradiction=contradiction, ended_at=ended_at, now=now)
        Source.objects.bulk_create([superseding(memory, old, method=DIRECT, now=now)], ignore_conflicts=True)
        data = {"memory_type": memory.memory_type, "contradiction": str(contradiction)}
        ids = [memory.id, old.id]
        note_event(scope, "memory.superseded", object_ids=ids, subject=memory.subject, data=data, now=now)
