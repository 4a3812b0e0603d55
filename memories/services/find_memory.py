"""Find the memory that a verb is about."""

from uuid import UUID

from memories.models import Memory
from memories.models.memory import Status
from tenants.scope import Scope, ScopeDenied


class MemoryNotOpen(Exception):
    """The memory is closed already: another request was quicker, or it was retracted."""


class StaleVersion(Exception):
    """If-Match names a version that the row no longer has; read it again and decide anew."""


def find_memory(scope: Scope, memory_id: UUID) -> Memory:
    """Return a memory that the scope may see, whatever its state. The scope is open.

    Raises Memory.DoesNotExist, when there is none for this scope.
    """
    rows = Memory.objects.select_related("turn__session", "session", "subject", "entity")
    memory = rows.get(id=memory_id, memory_type__in=scope.kinds)
    if memory.compartments and not set(memory.compartments) & set(scope.compartments):
        raise Memory.DoesNotExist
    return memory


def lock_memory(scope: Scope, memory_id: UUID, *, if_match: int | None = None) -> Memory:
    """Return a memory with its row locked until the scope closes.

    Raises Memory.DoesNotExist, when there is none; ScopeDenied, when it is shared and the scope is one user's;
    StaleVersion, when if_match is another version than the row's.
    """
    Memory.objects.select_for_update(no_key=True).filter(id=memory_id).first()
    memory = find_memory(scope, memory_id)
    if scope.subject_id is not None and memory.subject_id != scope.subject_id:
        raise ScopeDenied("what is shared by all users is not changed by one of them")
    if if_match is not None and if_match != memory.version:
        raise StaleVersion(f"If-Match: the memory's version is {memory.version}; read it again and decide anew")
    return memory


def lock_open(scope: Scope, memory_id: UUID, *, if_match: int | None = None) -> Memory:
    """Return an active memory with its row locked; raises as lock_memory, and MemoryNotOpen, when it is closed."""
    memory = lock_memory(scope, memory_id, if_match=if_match)
    if memory.status != Status.ACTIVE:
        raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; ask for its history")
    return memory
