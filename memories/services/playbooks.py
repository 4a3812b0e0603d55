"""Playbooks: read them with their counts, and note how one turned out."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memories.models import Memory, Procedure
from memories.services.find_memory import find_memory, lock_open
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def playbook_text(trigger: str, steps: Sequence[str]) -> str:
    """Return a playbook as text: its trigger, then its steps, numbered, one a line."""
    return "\n".join([trigger, *(f"{number}. {step}" for number, step in enumerate(steps, start=1))])


def get_playbook(scope: Scope, memory_id: UUID) -> tuple[Memory, Procedure]:
    """Return a procedural memory and its playbook, in any state.

    Raises ScopeDenied; Memory.DoesNotExist or Procedure.DoesNotExist, when the scope sees none.
    """
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        return find_memory(scope, memory_id), Procedure.objects.get(memory_id=memory_id)


def with_playbooks(scope: Scope, memories: Sequence[Memory]) -> dict[UUID, Procedure]:
    """Return the playbooks of procedural memories by these memories' ids."""
    with open_scope(scope):
        found = Procedure.objects.filter(memory_id__in=[memory.id for memory in memories])
        return {playbook.memory_id: playbook for playbook in found}


def note_outcome(scope: Scope, memory_id: UUID, *, success: bool, now: datetime) -> tuple[Memory, Procedure]:
    """Count one outcome that a user told of an active playbook, and return it.

    Raises ScopeDenied; Memory.DoesNotExist or Procedure.DoesNotExist; MemoryNotOpen, when it is closed.
    """
    scope.require(Ability.MEMORIES_WRITE)
    column = "success_count" if success else "failure_count"
    with open_scope(scope):
        memory = lock_open(scope, memory_id)
        if not Procedure.objects.filter(memory_id=memory_id).update(**{column: F(column) + 1}):
            raise Procedure.DoesNotExist
        outcome = "success" if success else "failure"
        note_event(
            scope,
            "procedure.outcome",
            object_ids=[memory.id],
            subject=memory.subject,
            data={"outcome": outcome},
            now=now,
        )
        transaction.on_commit(lambda: wake("memories.sync"))
        return memory, Procedure.objects.get(memory_id=memory_id)
