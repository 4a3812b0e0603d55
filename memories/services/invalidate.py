"""Invalidate: it was true, and ended then."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory
from memories.models.memory import Contradiction
from memories.services.find_memory import find_memory, lock_open
from memories.services.moment import moment
from memories.services.references import UnknownReference
from memories.services.supersede import replace_by_copy
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def invalidate(scope: Scope, memory_id: UUID, *, at: datetime, if_match: int | None = None, now: datetime) -> Memory:
    """Close a memory and open a copy that is true until a moment; return the copy.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed; StaleVersion; UnknownReference, when
    the moment lies before the memory's valid_from.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        old = lock_open(scope, memory_id, if_match=if_match)
        now = moment(now, old)
        if at < old.valid_from:
            raise UnknownReference("at", "lies before the memory's valid_from; retract what was never true")
        if old.valid_to is not None and at > old.valid_to:
            raise UnknownReference("at", "lies after the end that the memory has already")
        copy = replace_by_copy(
            old, old, method="invalidate", contradiction=Contradiction.NATURAL, now=now, valid_to=at
        )
        note_event(scope, "memory.invalidated", object_ids=[copy.id, old.id], subject=old.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, copy.id)
