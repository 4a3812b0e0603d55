"""Memories, entities, relations and catalog documents as JSON."""

from functools import singledispatch
from typing import Any

from memories.models import CatalogDocument, Entity, Memory, Relation, Session, Turn
from tenants.forms.hidden import without_hidden
from tenants.forms.moments import iso
from tenants.scope import Ability, Scope


def shown(scope: Scope, row: Any) -> dict[str, Any]:
    """Return what a scope may see of a row, besides its id and kind: all but the fields hidden from it.

    Of its compartments only those that the scope holds: what others are called is theirs to know.
    """
    held = [name for name in row.compartments if name in scope.compartments]
    seen: dict[str, Any] = without_hidden({**described(row), "compartments": held}, scope.hidden_fields)
    return seen


def rendered(scope: Scope, row: Any) -> dict[str, Any]:
    """Return a row as the answer to a request about it; who may not read is told its id, version and state only."""
    if Ability.MEMORIES_READ not in scope.abilities:
        status = getattr(row, "status", None)
        return {"id": str(row.id), "memory_type": row.kind, "version": row.version, "status": status}
    return {"id": str(row.id), "memory_type": row.kind, "version": row.version, **shown(scope, row)}


@singledispatch
def described(row: Any) -> dict[str, Any]:
    """Return what a caller may see of a row, besides its id and kind."""
    raise TypeError(f"{type(row).__name__} is not a searched row")


@described.register
def _(row: Memory) -> dict[str, Any]:
    return {
        "text": row.text,
        "user_id": row.subject.external_id if row.subject else None,
        "agent_id": row.agent_id,
        "entity_id": str(row.entity_id) if row.entity_id else None,
        "category": row.category or None,
        "predicate": row.predicate or None,
        "slot": row.slot,
        "importance": row.importance,
        "confidence": row.confidence,
        "status": row.status,
        "trust": row.trust,
        "tags": row.tags,
        "metadata": row.metadata,
        "sensitive_notes": row.sensitive_notes or None,
        "frequency": row.frequency,
        "occurred_at": iso(row.valid_from),
        "valid_from": iso(row.valid_from),
        "valid_to": iso(row.valid_to),
        "recorded_at": iso(row.recorded_at),
        "closed_at": iso(row.closed_at),
        "expires_at": iso(row.expires_at),
        "superseded_by": str(row.superseded_by_id) if row.superseded_by_id else None,
        "contradiction": row.contradiction or None,
        "restores": str(row.restores_id) if row.restores_id else None,
    }


@described.register
def _(row: Entity) -> dict[str, Any]:
    return {
        "text": ", ".join([row.name, *row.aliases]),
        "user_id": row.subject.external_id if row.subject else None,
        "entity_type": row.entity_type,
        "name": row.name,
        "aliases": row.aliases,
        "attributes": row.attributes,
        "recorded_at": iso(row.recorded_at),
        "closed_at": iso(row.closed_at),
    }


@described.register
def _(row: Relation) -> dict[str, Any]:
    return {
        "text": f"{row.subject_entity.name} {row.predicate} {row.object_entity.name}",
        "user_id": row.subject.external_id if row.subject else None,
        "subject_entity": {"id": str(row.subject_entity_id), "name": row.subject_entity.name},
        "predicate": row.predicate,
        "object_entity": {"id": str(row.object_entity_id), "name": row.object_entity.name},
        "weight": row.weight,
        "valid_from": iso(row.valid_from),
        "valid_to": iso(row.valid_to),
        "recorded_at": iso(row.recorded_at),
        "closed_at": iso(row.closed_at),
    }


@described.register
def _(row: CatalogDocument) -> dict[str, Any]:
    return {
        "text": row.text,
        "user_id": None,
        "document_id": row.external_id,
        "title": row.title or None,
        "tags": row.tags,
        "metadata": row.metadata,
        "recorded_at": iso(row.recorded_at),
        "updated_at": iso(row.updated_at),
    }


def source_turn(row: Any) -> dict[str, Any] | None:
    """Return the turn of the archive that an episodic memory is; None for what is not a turn."""
    turn, session = getattr(row, "turn", None), getattr(row, "session", None)
    return None if turn is None or session is None else _turn(turn, session)


def turn_of(turn: Turn | None) -> dict[str, Any] | None:
    """Return the turn, read with its session, that a memory rests on."""
    return None if turn is None else _turn(turn, turn.session)


def _turn(turn: Turn, session: Session) -> dict[str, Any]:
    return {
        "turn_id": str(turn.id),
        "session_id": session.external_id,
        "position": turn.position,
        "role": turn.role,
        "speaker": turn.speaker or None,
        "agent_id": turn.agent_id,
        "metadata": turn.metadata,
    }
