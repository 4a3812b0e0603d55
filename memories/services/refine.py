"""Refine: the next revision of a playbook supersedes this one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory, Procedure, Source
from memories.models.memory import Contradiction
from memories.services.add_sources import DIRECT, copied_sources, superseding
from memories.services.find_memory import find_memory, lock_open
from memories.services.learn import text_hash
from memories.services.moment import moment
from memories.services.playbooks import playbook_text
from memories.services.supersede import close_for, insert_copy
from memories.services.wake import wake
from tenants.ids import uuid7
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def refine(
    scope: Scope,
    memory_id: UUID,
    *,
    trigger: str | None,
    steps: Sequence[str] | None,
    if_match: int | None = None,
    now: datetime,
) -> tuple[Memory, Procedure]:
    """Write the next revision of an active playbook, everything else kept; its counts begin at 0.

    trigger, steps: None keeps the earlier ones.
    Raises ScopeDenied; Memory.DoesNotExist or Procedure.DoesNotExist; MemoryNotOpen, when it is closed; StaleVersion.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        old = lock_open(scope, memory_id, if_match=if_match)
        now = moment(now, old)
        earlier = Procedure.objects.get(memory_id=old.id)
        new_trigger, new_steps = trigger or earlier.trigger, list(steps or earlier.steps)
        text, copy_id = playbook_text(new_trigger, new_steps), uuid7()
        close_for(old, copy_id, contradiction=Contradiction.NATURAL, ended_at=now, now=now)
        copy = insert_copy(
            old,
            memory_id=copy_id,
            now=now,
            with_playbook=False,
            text=text,
            content_hash=text_hash(text),
            valid_from=now,
        )
        Source.objects.bulk_create([*copied_sources(copy, old), superseding(copy, old, method=DIRECT, now=now)])
        playbook = Procedure.objects.create(
            tenant_id=copy.tenant_id,
            subject_id=copy.subject_id,
            memory_id=copy.id,
            trigger=new_trigger,
            steps=new_steps,
            revision=earlier.revision + 1,
        )
        data = {"memory_type": old.memory_type, "contradiction": str(Contradiction.NATURAL)}
        ids = [copy.id, old.id]
        note_event(scope, "memory.superseded", object_ids=ids, subject=old.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return find_memory(scope, copy.id), playbook
