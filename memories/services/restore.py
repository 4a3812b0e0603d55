"""Restore: undo a retraction or a supersession, or bring back what was archived."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory
from memories.models.memory import Status
from memories.services.find_memory import MemoryNotOpen, find_memory, lock_memory
from memories.services.lineage import with_later_rows
from memories.services.moment import moment
from memories.services.supersede import replace_by_copy
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def restore(scope: Scope, memory_id: UUID, *, if_match: int | None = None, now: datetime) -> Memory:
    """Believe a closed memory again, as a copy; what stands in its place now is superseded by the copy.

    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is not closed; StaleVersion; SlotTaken or
    TextTaken, when another memory took its slot or says the same.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_memory(scope, memory_id, if_match=if_match)
        if memory.status not in (Status.RETRACTED, Status.SUPERSEDED, Status.ARCHIVED):
            raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; there is nothing to undo")
        if memory.status == Status.ARCHIVED and memory.rebuild_due_at is not None:
            raise MemoryNotOpen(
                f"memory {memory.id} was archived, and what it rested on was retracted since; write it anew"
            )
        if memory.accepted_at is None:
            raise MemoryNotOpen(f"memory {memory.id} was never sure enough to be believed; write it anew")
        head = _standing_successor(memory)
        own = with_later_rows(memory.id) - {head.id if head is not None else memory.id}
        again = Memory.objects.filter(id__in=own, status=Status.ACTIVE).first()
        if again is not None:
            raise MemoryNotOpen(f"memory {memory.id} is believed again already, as {again.id}")
        now = moment(now, memory, *([head] if head is not None else []))
        copy = replace_by_copy(memory, head, method="restore", now=now, restores_id=memory.id)
        ids = [copy.id, memory.id, *([head.id] if head else [])]
        note_event(scope, "memory.restored", object_ids=ids, subject=memory.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, copy.id)


def _standing_successor(memory: Memory) -> Memory | None:
    """Return the end of the chain of successors with its row locked, if that is active."""
    at = memory
    while at.superseded_by_id is not None:
        # Locked before it is looked at: whoever supersedes it meanwhile is waited for, and followed.
        at = Memory.objects.select_for_update(no_key=True).get(id=at.superseded_by_id)
    return at if at.id != memory.id and at.status == Status.ACTIVE else None
