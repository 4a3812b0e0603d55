"""Repeat: what is known was said once more."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memories.models import Memory
from memories.services.add_sources import add_sources
from memories.services.find_memory import find_memory, lock_open
from memories.services.new_memory import DIRECT, NewMemory, Span
from memories.services.trust_of import raise_trust, trust_of, trust_of_writer
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def repeat(scope: Scope, memory_id: UUID, *, spans: Sequence[Span], method: str = DIRECT, now: datetime) -> Memory:
    """Count that an active memory was said once more, in other words, and add where.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed; UnknownReference, when a span leads
    nowhere.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_open(scope, memory_id)
        Memory.objects.filter(id=memory.id).update(frequency=F("frequency") + 1)
        said = NewMemory(text=memory.text, spans=tuple(spans), method=method)
        add_sources(memory, said, superseded=None, now=now)
        raise_trust(memory, trust_of(said, writer=trust_of_writer(scope)))
        data = {"memory_type": memory.memory_type}
        note_event(scope, "memory.repeated", object_ids=[memory.id], subject=memory.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, memory.id)
