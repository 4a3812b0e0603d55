"""Add edges of provenance to a new memory."""

import hashlib
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memories.models import Memory, Source, Turn
from memories.models.source import SourceRelation, SourceType
from memories.services.new_memory import DIRECT, NewMemory
from memories.services.references import UnknownReference


def within(memory_subject_id: UUID | None) -> Q:
    """Return the condition for rows that a subject's memory may rest on: its own and the shared; for null the shared.

    So what is erased with a subject never carries another's memory.
    """
    shared = Q(subject_id__isnull=True)
    return shared if memory_subject_id is None else shared | Q(subject_id=memory_subject_id)


def add_sources(memory: Memory, new: NewMemory, *, superseded: Memory | None, now: datetime) -> None:
    """Add the spans and parents that a memory rests on, and what it supersedes. The scope is open.

    Raises UnknownReference, when a turn or parent is not there, or a span does not lie in its turn.
    """
    edges = [
        *_spans(memory, new, now=now),
        *_parents(memory, new, now=now),
    ]
    for edge in edges:
        edge.method = new.method
    if not edges:
        edges.append(_edge(memory, SourceRelation.DERIVED, now=now, source_type=SourceType.API))
    if superseded is not None:
        edges.append(superseding(memory, superseded, method=DIRECT, now=now))
    Source.objects.bulk_create(edges, ignore_conflicts=True)


def superseding(memory: Memory, superseded: Memory, *, method: str, now: datetime) -> Source:
    """Return the edge from a memory to the one whose place it takes; method: by which verb."""
    edge = _edge(memory, SourceRelation.SUPERSEDES, now=now, source_type=SourceType.API)
    edge.parent_id, edge.method = superseded.id, method
    return edge


def copied_sources(memory: Memory, original: Memory) -> list[Source]:
    """Return a memory's edges as those of its copy."""
    kept = Source.objects.filter(memory_id=original.id).exclude(relation=SourceRelation.SUPERSEDES)
    copies = []
    for edge in kept:
        edge.pk = None
        edge.id = Source._meta.pk.get_default()
        edge.memory_id = memory.id
        copies.append(edge)
    return copies


def _spans(memory: Memory, new: NewMemory, *, now: datetime) -> list[Source]:
    spans = new.spans
    named = Turn.objects.filter(within(memory.subject_id), id__in=[span.turn_id for span in spans])
    turns = {turn.id: turn for turn in named}
    edges = []
    for index, span in enumerate(spans):
        turn = turns.get(span.turn_id)
        if turn is None:
            raise UnknownReference(f"sources.{index}.turn_id")
        end = len(turn.content) if span.end is None else span.end
        if not 0 <= span.start < end <= len(turn.content):
            raise UnknownReference(f"sources.{index}", f"the turn has {len(turn.content)} characters")
        edge = _edge(memory, new.relation, now=now, source_type=SourceType(turn.role))
        edge.turn_id, edge.span_start, edge.span_end = turn.id, span.start, end
        edge.span_hash = span_hash(turn.content, span.start, end)
        edge.author = turn.speaker or turn.role
        edges.append(edge)
    return edges


def span_hash(content: str, start: int, end: int) -> bytes:
    """Return the SHA-256 of a span of a turn, in UTF-8."""
    return hashlib.sha256(content[start:end].encode()).digest()


def _parents(memory: Memory, new: NewMemory, *, now: datetime) -> list[Source]:
    named = Memory.objects.filter(within(memory.subject_id), id__in=new.parents)
    known = set(named.values_list("id", flat=True))
    edges = []
    for index, parent_id in enumerate(new.parents):
        if parent_id not in known:
            raise UnknownReference(f"parent_ids.{index}")
        edge = _edge(memory, SourceRelation.DERIVED, now=now, source_type=SourceType.API)
        edge.parent_id = parent_id
        edges.append(edge)
    return edges


def _edge(memory: Memory, relation: SourceRelation, *, now: datetime, source_type: SourceType) -> Source:
    return Source(
        tenant_id=memory.tenant_id,
        subject_id=memory.subject_id,
        memory_id=memory.id,
        relation=relation,
        source_type=source_type,
        method=DIRECT,
        author=memory.author,
        confidence=memory.confidence,
        recorded_at=now,
    )
