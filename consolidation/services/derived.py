"""Derived: everything that came of a turn or a memory, however far down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from consolidation.models import Decision
from consolidation.models.decision import Verdict
from consolidation.services.outcomes import INSTEAD, WORKED
from consolidation.services.root import Root
from memories.models import Memory, Source
from memories.models.source import SourceRelation
from memories.services.evidence_lost import standing_among
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

DERIVED_MAX = 2_000
FindRoot = Callable[[Scope, UUID], Root]


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivative:
    """One memory that rests on the root.

    path: the memories between, the root's side first, itself last. relation: how it rests on what stands before it.
    alone: it has no other evidence that stands. reverted: its edge to what stands before it is void.
    replaced: what it is in the place of, and what would be believed again without it.
    """

    memory: Memory
    path: tuple[UUID, ...]
    relation: str
    alone: bool
    reverted: bool
    replaced: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An outcome that the turn told of a playbook."""

    memory_id: UUID
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """All that came of a root. truncated: there is more than DERIVED_MAX."""

    root: Root
    derivatives: Sequence[Derivative]
    outcomes: Sequence[Outcome]
    truncated: bool


def derived(scope: Scope, find_root: FindRoot, root_id: UUID) -> Derived:
    """Return what came of a root and the scope may see, nearest first.

    Raises ScopeDenied, when the key may not read provenance; DoesNotExist, when it sees no such root.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require(Ability.PROVENANCE_READ)
    with open_scope(scope):
        root = find_root(scope, root_id)
        edges, truncated = edges_below(root)
        rows = Memory.objects.filter(id__in=edges, memory_type__in=scope.kinds)
        found = {row.id: row for row in rows.select_related("subject", "entity", "session", "turn")}
        alone = _alone(root, list(edges))
        replaced = _replaced(list(edges))
        derivatives = [
            Derivative(
                memory=found[memory_id],
                path=_path(edges, memory_id),
                relation=edge.relation,
                alone=memory_id in alone,
                reverted=edge.voided_at is not None,
                replaced=tuple(replaced.get(memory_id, ())),
            )
            for memory_id, edge in edges.items()
            if memory_id in found
        ]
        return Derived(root=root, derivatives=derivatives, outcomes=outcomes_of(root), truncated=truncated)


def outcomes_of(root: Root) -> list[Outcome]:
    """Return the outcomes that a turn told, each of the playbook's row that was counted. The scope is open."""
    if root.turn_id is None:
        return []
    found = []
    for decision in Decision.objects.filter(turn_id=root.turn_id).order_by("id"):
        if decision.verdict == Verdict.OUTCOME and decision.memory_id is not None:
            found.append(Outcome(memory_id=decision.memory_id, success=decision.why == "success"))
        elif decision.why == WORKED and decision.memory_id is not None:
            found.append(Outcome(memory_id=decision.memory_id, success=True))
        elif decision.why == INSTEAD and decision.met_id is not None:
            found.append(Outcome(memory_id=decision.met_id, success=False))
    return found


def edges_below(root: Root) -> tuple[dict[UUID, Source], bool]:
    """Return by memory the edge by which it is reached first; and whether there are more than are looked at."""
    reached: dict[UUID, Source] = {}
    turns, parents = [root.turn_id] if root.turn_id else [], list(root.memory_ids)
    while turns or parents:
        edges = (
            Source.objects.filter(Q(turn_id__in=turns) | Q(parent_id__in=parents))
            .exclude(relation=SourceRelation.SUPERSEDES)
            .order_by("recorded_at", "id")
        )
        fresh: dict[UUID, Source] = {}
        for edge in edges:
            if edge.memory_id not in reached and edge.memory_id not in root.memory_ids:
                fresh.setdefault(edge.memory_id, edge)
        for memory_id, edge in fresh.items():
            if len(reached) == DERIVED_MAX:
                return reached, True
            reached[memory_id] = edge
        turns, parents = [], list(fresh)
    return reached, False


def _path(edges: dict[UUID, Source], memory_id: UUID) -> tuple[UUID, ...]:
    path = [memory_id]
    while (parent := edges[path[-1]].parent_id) is not None and parent in edges:
        path.append(parent)
    return tuple(reversed(path))


def _alone(root: Root, memory_ids: Sequence[UUID]) -> set[UUID]:
    """Return those that nothing holds but the root and one another."""
    edges = Source.objects.filter(memory_id__in=memory_ids, voided_at__isnull=True)
    other = standing_among(
        edge
        for edge in edges.exclude(relation=SourceRelation.SUPERSEDES)
        if not (edge.turn_id is not None and edge.turn_id == root.turn_id) and edge.parent_id not in root.memory_ids
    )
    alone = set(memory_ids)
    while True:
        held = {edge.memory_id for edge in other if edge.memory_id in alone and edge.parent_id not in alone}
        if not held:
            return alone
        alone -= held


def _replaced(memory_ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """Return by memory what it has superseded."""
    found: dict[UUID, list[UUID]] = {}
    rows = Memory.objects.filter(superseded_by_id__in=memory_ids).order_by("id")
    for memory_id, successor in rows.values_list("id", "superseded_by_id"):
        if successor is not None:
            found.setdefault(successor, []).append(memory_id)
    return found
