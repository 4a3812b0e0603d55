"""Evidence lost: what rested on memories that are gone goes too, or is marked for a rebuild."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memories.models import Memory, Source
from memories.models.memory import Status
from memories.models.source import SourceRelation
from tenants.scope import Scope
from tenants.services.note_event import note_event


def evidence_lost(scope: Scope, memories: Sequence[Memory], *, reason: str, now: datetime) -> list[UUID]:
    """Retract what has no evidence left, mark what has some with rebuild_due_at; return what was retracted.

    memories: retracted just now. reason: a code for the event. The scope is open.
    """
    gone = {memory.id for memory in memories}
    lost_turns = {memory.turn_id for memory in memories if memory.turn_id is not None}
    retracted: list[UUID] = []
    frontier = _resting_on(gone, lost_turns)
    while frontier:
        bare = [memory for memory in frontier if not _has_evidence(memory, gone, lost_turns)]
        weakened = [memory.id for memory in frontier if memory not in bare]
        Memory.objects.filter(id__in=weakened).update(rebuild_due_at=now)
        for memory_id in weakened:
            note_event(scope, "memory.weakened", object_ids=[memory_id], data={"reason": reason}, now=now)
        Memory.objects.filter(id__in=[memory.id for memory in bare]).update(status=Status.RETRACTED, closed_at=now)
        for memory in bare:
            note_event(scope, "memory.retracted", object_ids=[memory.id], data={"reason": reason}, now=now)
        new = {memory.id for memory in bare}
        retracted += sorted(new)
        gone |= new
        frontier = _resting_on(new, set())
    return retracted


def _resting_on(memory_ids: set[UUID], turn_ids: set[UUID]) -> list[Memory]:
    """Return the active memories with an edge to one of these."""
    edges = (
        Source.objects.filter(Q(parent_id__in=memory_ids) | Q(turn_id__in=turn_ids))
        .exclude(relation=SourceRelation.SUPERSEDES)
        .values("memory_id")
    )
    return list(
        Memory.objects.select_for_update(no_key=True, of=("self",))
        .filter(id__in=edges, status=Status.ACTIVE)
        .exclude(id__in=memory_ids)
        .order_by("id")
    )


def _has_evidence(memory: Memory, gone: set[UUID], lost_turns: set[UUID]) -> bool:
    """Say whether an edge is left to anything that still stands."""
    edges = Source.objects.filter(memory_id=memory.id).exclude(relation=SourceRelation.SUPERSEDES)
    return any(edge.parent_id not in gone and edge.turn_id not in lost_turns for edge in edges)
