"""Provenance as JSON."""

from typing import Any

from memories.services.walk import Step
from tenants.forms.moments import iso


def rendered_step(step: Step) -> dict[str, Any]:
    """Return one edge of a walk."""
    return {
        "memory_id": str(step.memory_id),
        "depth": step.depth,
        "source_type": step.source_type,
        "relation": step.relation,
        "method": step.method,
        "author": step.author or None,
        "confidence": step.confidence,
        "parent_id": str(step.parent_id) if step.parent_id else None,
        "turn": _turn(step),
        "intact": step.intact,
    }


def _turn(step: Step) -> dict[str, Any] | None:
    turn = step.turn
    if turn is None:
        return None
    start, end = step.span or (0, len(turn.content))
    return {
        "turn_id": str(turn.id),
        "session_id": turn.session.external_id,
        "position": turn.position,
        "role": turn.role,
        "occurred_at": iso(turn.occurred_at),
        "start": start,
        "end": end,
        "text": step.text,
    }
