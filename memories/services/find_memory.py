"""Find the memory that a verb is about."""

from uuid import UUID

from memories.models import Memory
from memories.models.memory import Status
from memories.services.changeable import check_changeable
from tenants.scope import Scope


class MemoryNotOpen(Exception):
    """The memory is closed already: another request was quicker, or it was retracted."""


def find_memory(scope: Scope, memory_id: UUID) -> Memory:
    """Return a memory that the scope may see, whatever its state. The scope is open.

    Raises Memory.DoesNotExist, when there is none for this scope.
    """
    rows = Memory.objects.select_related("turn__session", "session", "subject", "entity")
    return rows.get(id=memory_id, memory_type__in=scope.kinds)


def lock_memory(scope: Scope, memory_id: UUID, *, if_match: int | None = None) -> Memory:
    """Return a memory with its row locked until the scope closes.

    Raises Memory.DoesNotExist, when there is none; ScopeDenied, when it is shared and the scope is one user's;
    StaleVersion, when if_match is another version than the row's.
    """
    Memory.objects.select_for_update(no_key=True).filter(id=memory_id).first()
    memory = find_memory(scope, memory_id)
    check_changeable(scope, memory, if_match=if_match)
    return memory


def lock_open(scope: Scope, memory_id: UUID, *, if_match: int | None = None) -> Memory:
    """Return an active memory with its row locked; raises as lock_memory, and MemoryNotOpen, when it is closed."""
    memory = lock_memory(scope, memory_id, if_match=if_match)
    if memory.status != Status.ACTIVE:
        raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; ask for its history")
    return memory
