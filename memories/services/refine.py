"""Refine: the next revision of a playbook supersedes this one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from backends.search import names
from memories.models import Memory, Procedure
from memories.models.memory import Contradiction
from memories.services.find_memory import lock_memory
from memories.services.learn import Learned, learn
from memories.services.new_memory import NewMemory
from memories.services.playbooks import playbook_text
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope


def refine(
    scope: Scope,
    memory_id: UUID,
    *,
    trigger: str | None,
    steps: Sequence[str] | None,
    if_match: int | None = None,
    now: datetime,
) -> Learned:
    """Write the next revision of an active playbook; its counts begin at 0.

    trigger, steps: None keeps the earlier ones.
    Raises ScopeDenied; Memory.DoesNotExist or Procedure.DoesNotExist; MemoryNotOpen, when it is closed; StaleVersion.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        old = lock_memory(scope, memory_id, if_match=if_match)
        earlier = Procedure.objects.get(memory_id=old.id)
        return learn(scope, _revised(old, earlier, trigger, steps), now=now)


def _revised(old: Memory, earlier: Procedure, trigger: str | None, steps: Sequence[str] | None) -> NewMemory:
    new_trigger, new_steps = trigger or earlier.trigger, tuple(steps or earlier.steps)
    return NewMemory(
        text=playbook_text(new_trigger, new_steps),
        trigger=new_trigger,
        steps=new_steps,
        user_id=old.subject.external_id if old.subject else None,
        memory_type=names.PROCEDURAL,
        agent_id=old.agent_id,
        entity_id=old.entity_id,
        category=old.category,
        predicate=old.predicate,
        slot=old.slot,
        importance=old.importance,
        tags=tuple(old.tags),
        metadata=old.metadata,
        sensitive_notes=old.sensitive_notes,
        supersedes_id=old.id,
        contradiction=Contradiction.NATURAL,
    )
