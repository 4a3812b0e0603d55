"""Evidence lost: what rested on memories that are gone goes too, or is marked for a rebuild."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memories.models import Memory, Source
from memories.models.memory import Status
from memories.models.source import SourceRelation
from memories.services.close_retracted import close_retracted
from memories.services.lineage import stands, with_ancestors
from tenants.scope import Scope
from tenants.services.note_event import note_event


def evidence_lost(scope: Scope, memories: Sequence[Memory], *, reason: str, now: datetime) -> list[UUID]:
    """Retract what has no evidence left, mark what has some with rebuild_due_at; return what was retracted.

    memories: retracted just now. reason: a code for the event. The scope is open.
    A memory rests on its own subject's and on shared rows only, so erasing a subject leaves no other's without
    evidence (memories.services.add_sources.within).
    """
    retracted: list[UUID] = []
    lost = list(memories)
    while lost:
        frontier = _resting_on(lost)
        _mark_archived(lost, now=now)
        bare = [memory for memory in frontier if not _has_evidence(memory)]
        for memory in frontier:
            if memory in bare:
                close_retracted(scope, memory, reason=reason, now=now)
            else:
                Memory.objects.filter(id=memory.id).update(rebuild_due_at=now)
                note_event(scope, "memory.weakened", object_ids=[memory.id], data={"reason": reason}, now=now)
        retracted += [memory.id for memory in bare]
        lost = bare
    return retracted


def _resting_on(memories: Sequence[Memory]) -> list[Memory]:
    """Return the active memories with an edge to one of these, to an earlier row of it, or to its turn."""
    ids, edges = _edges_to(memories)
    locked = Memory.objects.select_for_update(no_key=True, of=("self",))
    return list(locked.filter(id__in=edges, status=Status.ACTIVE).exclude(id__in=ids).order_by("id"))


def _mark_archived(memories: Sequence[Memory], *, now: datetime) -> None:
    """Mark what rests on these and is archived: it is closed for good, and is neither recalled nor restored now."""
    _, edges = _edges_to(memories)
    of_these = [memory.turn_id for memory in memories if memory.turn_id is not None]
    archived = Memory.objects.filter(Q(id__in=edges) | Q(turn_id__in=of_these), status=Status.ARCHIVED)
    archived.exclude(id__in=[memory.id for memory in memories]).update(rebuild_due_at=now)


def _edges_to(memories: Sequence[Memory]) -> tuple[set[UUID], QuerySet[Source, UUID]]:
    """Return the ids of memories with those of their earlier rows, and whose edges lead to one, or to its turn."""
    ids = with_ancestors(memory.id for memory in memories)
    turns = [memory.turn_id for memory in memories if memory.turn_id is not None]
    edges = Source.objects.filter(Q(parent_id__in=ids) | Q(turn_id__in=turns))
    return ids, edges.exclude(relation=SourceRelation.SUPERSEDES).values_list("memory_id", flat=True)


def _has_evidence(memory: Memory) -> bool:
    """Say whether an edge is left to anything that was not retracted, now or before."""
    edges = Source.objects.filter(memory_id=memory.id).exclude(relation=SourceRelation.SUPERSEDES)
    return any(_stands(edge) for edge in edges)


def _stands(edge: Source) -> bool:
    """Say whether what an edge leads to is still held to be true: a memory as long as one of its rows is."""
    if edge.parent_id is not None:
        return stands(edge.parent_id)
    if edge.turn_id is None:
        return True  # said through the API
    of_turn = Memory.objects.filter(turn_id=edge.turn_id)
    restored = Exists(Memory.objects.filter(restores_id=OuterRef("id")))
    standing = of_turn.exclude(status=Status.RETRACTED).filter(~Q(status=Status.ARCHIVED) | ~restored)
    return not of_turn.exists() or standing.exists()
