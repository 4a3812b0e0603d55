"""Refine: the next revision of a playbook supersedes this one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory, Procedure
from memories.models.memory import Contradiction
from memories.services.add_sources import add_sources
from memories.services.find_memory import find_memory, lock_open
from memories.services.insert_memory import text_hash
from memories.services.moment import moment
from memories.services.new_memory import DIRECT, NewMemory, Span
from memories.services.playbooks import playbook_text
from memories.services.supersede import replace_by_copy
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def refine(
    scope: Scope,
    memory_id: UUID,
    *,
    trigger: str | None,
    steps: Sequence[str] | None,
    spans: Sequence[Span] = (),
    method: str = DIRECT,
    if_match: int | None = None,
    now: datetime,
) -> tuple[Memory, Procedure]:
    """Write the next revision of an active playbook, everything else kept; its counts begin at 0.

    trigger, steps: None keeps the earlier ones. spans: where the new ones were said; method: how they were found.
    Raises ScopeDenied; Memory.DoesNotExist or Procedure.DoesNotExist; MemoryNotOpen, when it is closed; StaleVersion;
    UnknownReference, when a span leads nowhere.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        old = lock_open(scope, memory_id, if_match=if_match)
        now = moment(now, old)
        earlier = Procedure.objects.get(memory_id=old.id)
        new_trigger, new_steps = trigger or earlier.trigger, list(steps or earlier.steps)
        text = playbook_text(new_trigger, new_steps)
        copy = replace_by_copy(
            old,
            old,
            method=DIRECT,
            contradiction=Contradiction.NATURAL,
            ended_at=now,
            with_playbook=False,
            now=now,
            text=text,
            content_hash=text_hash(text),
            valid_from=now,
        )
        if spans:
            add_sources(copy, NewMemory(text=text, spans=tuple(spans), method=method), superseded=None, now=now)
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
