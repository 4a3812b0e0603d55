"""Evidence lost: what rested on memories that are gone goes too, or is marked for a rebuild."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memories.models import Memory, Source
from memories.models.memory import WAITING, Status
from memories.models.source import SourceRelation
from memories.services.close_retracted import close_retracted
from memories.services.closed import Closed
from memories.services.lineage import stands, with_ancestors
from tenants.scope import Scope
from tenants.services.note_event import note_event


def evidence_lost(scope: Scope, memories: Sequence[Memory], *, reason: str, now: datetime) -> Closed:
    """Retract what has no evidence left, mark what has some with rebuild_due_at; return what was changed.

    memories: retracted just now. reason: a code for the event. The scope is open.
    A memory rests on its own subject's and on shared rows only, so erasing a subject leaves no other's without
    evidence (memories.services.add_sources.within).
    """
    closed = Closed(weakened=_mark_archived(memories, now=now))
    closed.add(_settled(scope, _resting_on(memories), reason=reason, now=now))
    return closed


def evidence_voided(scope: Scope, memory_ids: Collection[UUID], *, reason: str, now: datetime) -> Closed:
    """Do the same for memories some of whose edges are void since just now. The scope is open."""
    rows = Memory.objects.filter(id__in=memory_ids)
    closed = Closed(weakened=_marked(rows, now=now))
    closed.add(_settled(scope, _locked(rows), reason=reason, now=now))
    return closed


def has_evidence(memory: Memory) -> bool:
    """Say whether an edge is left that is not void, to anything that was not retracted, now or before."""
    edges = Source.objects.filter(memory_id=memory.id, voided_at__isnull=True)
    return bool(standing_among(edges.exclude(relation=SourceRelation.SUPERSEDES)))


def standing_among(edges: Iterable[Source]) -> list[Source]:
    """Return those of some edges whose other end is still held to be true: a memory as long as one of its rows is.

    What was said through the API, and a turn without a memory, always is.
    """
    edges = list(edges)
    parents = {parent_id: stands(parent_id) for parent_id in {edge.parent_id for edge in edges} if parent_id}
    fallen = _fallen({edge.turn_id for edge in edges if edge.turn_id is not None})
    return [edge for edge in edges if (parents[edge.parent_id] if edge.parent_id else edge.turn_id not in fallen)]


def _fallen(turn_ids: Collection[UUID]) -> set[UUID]:
    """Return those of some turns whose memories were all retracted or rejected."""
    of_turns = Memory.objects.filter(turn_id__in=turn_ids)
    restored = Exists(Memory.objects.filter(restores_id=OuterRef("id")))
    standing = of_turns.exclude(status__in=[Status.RETRACTED, Status.REJECTED])
    standing = standing.filter(~Q(status=Status.ARCHIVED) | ~restored)
    return set(of_turns.values_list("turn_id", flat=True)) - set(standing.values_list("turn_id", flat=True))


def _settled(scope: Scope, frontier: Sequence[Memory], *, reason: str, now: datetime) -> Closed:
    """Close or mark the memories of a frontier, then those that rested on what was closed, and so on."""
    closed = Closed()
    while frontier:
        bare = [memory for memory in frontier if not has_evidence(memory)]
        for memory in frontier:
            if memory in bare:
                closed.add(close_retracted(scope, memory, reason=reason, now=now))
            else:
                Memory.objects.filter(id=memory.id).update(rebuild_due_at=now)
                closed.weakened.append(memory.id)
                note_event(scope, "memory.weakened", object_ids=[memory.id], data={"reason": reason}, now=now)
        closed.weakened += _mark_archived(bare, now=now)
        frontier = _resting_on(bare) if bare else []
    return closed


def _resting_on(memories: Sequence[Memory]) -> list[Memory]:
    """Return the memories, active or waiting, with an edge to one of these, to its earlier rows, or to its turn."""
    ids, edges = _edges_to(memories)
    return _locked(Memory.objects.filter(id__in=edges).exclude(id__in=ids))


def _mark_archived(memories: Sequence[Memory], *, now: datetime) -> list[UUID]:
    """Mark what rests on these and is archived: it is closed for good, and is neither recalled nor restored now."""
    _, edges = _edges_to(memories)
    of_these = [memory.turn_id for memory in memories if memory.turn_id is not None]
    rows = Memory.objects.filter(Q(id__in=edges) | Q(turn_id__in=of_these))
    return _marked(rows.exclude(id__in=[memory.id for memory in memories]), now=now)


def _marked(rows: "QuerySet[Memory]", *, now: datetime) -> list[UUID]:
    """Mark those of some rows that are archived, and return which."""
    archived = list(rows.filter(status=Status.ARCHIVED).order_by("id").values_list("id", flat=True))
    Memory.objects.filter(id__in=archived).update(rebuild_due_at=now)
    return archived


def _edges_to(memories: Sequence[Memory]) -> "tuple[set[UUID], QuerySet[Source, UUID]]":
    """Return the ids of memories with those of their earlier rows, and whose edges lead to one, or to its turn."""
    ids = with_ancestors(memory.id for memory in memories)
    turns = [memory.turn_id for memory in memories if memory.turn_id is not None]
    edges = Source.objects.filter(Q(parent_id__in=ids) | Q(turn_id__in=turns), voided_at__isnull=True)
    return ids, edges.exclude(relation=SourceRelation.SUPERSEDES).values_list("memory_id", flat=True)


def _locked(rows: "QuerySet[Memory]") -> list[Memory]:
    """Return those of some rows that are open, locked in one order."""
    locked = rows.select_for_update(no_key=True, of=("self",))
    return list(locked.filter(status__in=[Status.ACTIVE, *WAITING]).order_by("id"))
