"""History: the chain of rows that superseded, corrected or restored one another."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from memories.models import Memory, Source
from memories.models.source import SourceRelation
from memories.services.find_memory import find_memory
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

VERSIONS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One row of the chain. replaced_by_verb: how its successor took its place; None where nothing did."""

    memory: Memory
    replaced_by_verb: str | None


def history(scope: Scope, memory_id: UUID) -> list[Version]:
    """Return every row of a memory's chain that the scope may see, oldest first, at most VERSIONS_MAX.

    Raises ScopeDenied; Memory.DoesNotExist.
    """
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        seen = {memory_id: find_memory(scope, memory_id)}
        frontier = set(seen)
        while frontier and len(seen) < VERSIONS_MAX:
            found = _neighbours(scope, [seen[object_id] for object_id in frontier])
            frontier = {memory.id for memory in found} - seen.keys()
            seen.update({memory.id: memory for memory in found if memory.id in frontier})
        edges = Source.objects.filter(parent_id__in=seen, relation=SourceRelation.SUPERSEDES)
        verbs = {(edge.parent_id, edge.memory_id): edge.method for edge in edges if edge.parent_id}
    ordered = sorted(seen.values(), key=lambda memory: (memory.recorded_at, memory.id))
    return [
        Version(
            memory=memory,
            replaced_by_verb=verbs.get((memory.id, memory.superseded_by_id)) if memory.superseded_by_id else None,
        )
        for memory in ordered[:VERSIONS_MAX]
    ]


def _neighbours(scope: Scope, memories: list[Memory]) -> list[Memory]:
    ids = [memory.id for memory in memories]
    named = [memory.superseded_by_id for memory in memories] + [memory.restores_id for memory in memories]
    return list(
        Memory.objects.filter(
            Q(superseded_by_id__in=ids)
            | Q(restores_id__in=ids)
            | Q(id__in=[object_id for object_id in named if object_id]),
            memory_type__in=scope.kinds,
        ).select_related("turn", "session", "subject", "entity")
    )
