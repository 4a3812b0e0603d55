"""Retract: it was never true."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models import Memory, Source
from memories.models.memory import Status
from memories.models.source import SourceRelation
from memories.services.add_sources import DIRECT, copied_sources
from memories.services.evidence_lost import evidence_lost
from memories.services.find_memory import lock_open
from memories.services.supersede import insert_copy
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def retract(scope: Scope, memory_id: UUID, *, if_match: int | None = None, now: datetime) -> None:
    """Close a memory as never true; what it had superseded is believed again, as a copy.

    What rested on it alone goes with it (memories.services.evidence_lost).
    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed already; StaleVersion.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_open(scope, memory_id, if_match=if_match)
        Memory.objects.filter(id=memory.id).update(status=Status.RETRACTED, closed_at=now)
        note_event(scope, "memory.retracted", object_ids=[memory.id], subject=memory.subject, now=now)
        evidence_lost(scope, [memory], reason="retracted", now=now)
        for predecessor in _contradicted_by(memory):
            copy = insert_copy(predecessor, now=now, restores_id=predecessor.id)
            Source.objects.bulk_create(copied_sources(copy, predecessor))
            note_event(scope, "memory.revived", object_ids=[copy.id, predecessor.id], subject=memory.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))


def _contradicted_by(memory: Memory) -> list[Memory]:
    """Return what a memory superseded because it contradicted it, not what it corrected or ended."""
    contradicted = Source.objects.filter(memory_id=memory.id, relation=SourceRelation.SUPERSEDES, method=DIRECT)
    return list(Memory.objects.filter(superseded_by_id=memory.id, id__in=contradicted.values("parent_id")))
