"""Walk: from a memory to its parents and to the exact span of the raw turn."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from memories.models import Memory, Source, Turn
from memories.models.source import SourceRelation, SourceType
from memories.services.add_sources import span_hash
from memories.services.find_memory import find_memory
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

DEPTH_MAX = 10
STEPS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge of the walk.

    memory_id: whose evidence it is. depth: 0 = of the memory asked about, 1 = of its parents …
    span: half-open, in code points of the turn. text: what stands there now.
    intact: whether turn and span still have the hashes that were noted; None for what is no turn.
    """

    memory_id: UUID
    depth: int
    source_type: str
    relation: str
    method: str
    author: str
    confidence: float
    parent_id: UUID | None = None
    turn: Turn | None = None
    span: tuple[int, int] | None = None
    text: str | None = None
    intact: bool | None = None


def walk(scope: Scope, memory_id: UUID) -> list[Step]:
    """Return every edge from a memory down to the archive, nearest first; the superseded and the void is no evidence.

    Raises ScopeDenied, when the key may not read provenance; Memory.DoesNotExist.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require(Ability.PROVENANCE_READ)
    with open_scope(scope):
        level, seen, steps = [find_memory(scope, memory_id)], {memory_id}, []
        for depth in range(DEPTH_MAX):
            edges = _edges(level)
            parents = _parents(scope, edges)
            steps += [_step(edge, depth) for edge in edges if _may_be_told(edge, parents)]
            steps += [_whole(memory, depth) for memory in level if memory.turn is not None]
            level = [memory for memory_id, memory in parents.items() if memory_id not in seen]
            if not level or len(steps) >= STEPS_MAX:
                break
            seen |= parents.keys()
    return steps[:STEPS_MAX]


def _parents(scope: Scope, edges: list[Source]) -> dict[UUID, Memory]:
    """Return the memories that edges lead to, by id, without those that the scope may not see."""
    ids = [edge.parent_id for edge in edges if edge.parent_id is not None]
    rows = Memory.objects.filter(id__in=ids, memory_type__in=scope.kinds)
    return {row.id: row for row in rows.select_related("turn__session").order_by("id")}


def _may_be_told(edge: Source, parents: Mapping[UUID, Memory]) -> bool:
    """Say whether the scope sees what an edge leads to: who said it and when is a part of that."""
    if edge.parent_id is not None:
        return edge.parent_id in parents
    return edge.turn_id is None or edge.turn is not None


def _edges(memories: list[Memory]) -> list[Source]:
    return list(
        Source.objects.filter(memory_id__in=[memory.id for memory in memories], voided_at__isnull=True)
        .exclude(relation=SourceRelation.SUPERSEDES)
        .select_related("turn__session")
        .order_by("recorded_at", "id")
    )


def _step(edge: Source, depth: int) -> Step:
    span = text = intact = None
    if edge.turn is not None and edge.span_start is not None and edge.span_end is not None:
        span = (edge.span_start, edge.span_end)
        text = edge.turn.content[slice(*span)]
        same_span = span_hash(edge.turn.content, *span) == bytes(edge.span_hash or b"")
        intact = same_span and _is_unaltered(edge.turn)
    return Step(
        memory_id=edge.memory_id,
        depth=depth,
        source_type=edge.source_type,
        relation=edge.relation,
        method=edge.method,
        author=edge.author,
        confidence=edge.confidence,
        parent_id=edge.parent_id,
        turn=edge.turn,
        span=span,
        text=text,
        intact=intact,
    )


def _whole(memory: Memory, depth: int) -> Step:
    """Return the step from an episodic memory to its turn, which it is, whole."""
    turn = memory.turn
    if turn is None:
        raise ValueError("only a turn's own memory is a whole turn")
    return Step(
        memory_id=memory.id,
        depth=depth,
        source_type=SourceType(turn.role),
        relation=SourceRelation.EXTRACTED,
        method="verbatim",
        author=memory.author,
        confidence=1.0,
        turn=turn,
        span=(0, len(turn.content)),
        text=turn.content,
        intact=_is_unaltered(turn) and bytes(memory.content_hash) == bytes(turn.content_hash),
    )


def _is_unaltered(turn: Turn) -> bool:
    return hashlib.sha256(turn.content.encode()).digest() == bytes(turn.content_hash)
