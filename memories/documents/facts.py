"""What a row can be filtered by, as plain values, of which every engine makes its own form."""

from functools import singledispatch
from typing import Any

from backends.search.facets import Facts
from backends.search.filters import METADATA
from memories.models import CatalogDocument, Entity, Memory, Relation


@singledispatch
def facts(row: Any) -> Facts:
    """Return a row's values by the names of backends.search.filters.FIELDS; null, and what is left out, it lacks.

    A memory is annotated with its `.edges`: source type, relation and method of each source that stands.
    """
    raise TypeError(f"{type(row).__name__} is not a searched row")


@facts.register
def _(row: Memory) -> Facts:
    edges: list[dict[str, str]] = row.edges  # type: ignore[attr-defined]
    return {
        "memory_type": row.memory_type,
        "session_id": row.session.external_id if row.session else None,
        "agent_id": row.agent_id,
        "entity_id": str(row.entity_id) if row.entity_id else None,
        "trust": row.trust,
        "category": row.category or None,
        "predicate": row.predicate or None,
        "slot": row.slot,
        "author": row.author or None,
        "tags": list(row.tags),
        "importance": row.importance,
        "confidence": row.confidence,
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "recorded_at": row.recorded_at,
        "expires_at": row.expires_at,
        "provenance.source_type": [edge["source_type"] for edge in edges],
        "provenance.relation": [edge["relation"] for edge in edges],
        "provenance.method": [edge["method"] for edge in edges],
        METADATA: row.metadata,
    }


@facts.register
def _(row: Entity) -> Facts:
    return {"memory_type": row.kind, "recorded_at": row.recorded_at}


@facts.register
def _(row: Relation) -> Facts:
    return {
        "memory_type": row.kind,
        "predicate": row.predicate,
        "valid_from": row.valid_from,
        "valid_to": row.valid_to,
        "recorded_at": row.recorded_at,
    }


@facts.register
def _(row: CatalogDocument) -> Facts:
    return {
        "memory_type": row.kind,
        "tags": list(row.tags),
        "recorded_at": row.recorded_at,
        METADATA: row.metadata,
    }
