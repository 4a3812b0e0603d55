"""Get one memory."""

from uuid import UUID

from memories.models import Memory
from memories.services.find_memory import find_memory
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope


def get_memory(scope: Scope, memory_id: UUID) -> Memory:
    """Return a memory in any state. Raises ScopeDenied; Memory.DoesNotExist, when the scope sees none."""
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        return find_memory(scope, memory_id)
