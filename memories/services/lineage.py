"""Lineage: a memory and the earlier rows that it is a copy of."""

from collections.abc import Iterable
from uuid import UUID

from memories.models import Source
from memories.models.source import SourceRelation

COPYING = ("correct", "invalidate", "restore")
"""The verbs whose successor is the same memory, said better; a contradiction's is another one."""


def with_ancestors(memory_ids: Iterable[UUID]) -> set[UUID]:
    """Return memories with all earlier rows of which they are copies. The scope is open."""
    found = set(memory_ids)
    frontier = set(found)
    while frontier:
        edges = Source.objects.filter(
            memory_id__in=frontier, relation=SourceRelation.SUPERSEDES, method__in=COPYING, parent_id__isnull=False
        )
        frontier = {edge for edge in edges.values_list("parent_id", flat=True) if edge is not None} - found
        found |= frontier
    return found
