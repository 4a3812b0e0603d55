"""Runs, decisions and reviews as JSON."""

from typing import Any
from uuid import UUID

from consolidation.models import Decision, ReviewItem, Run
from memories.services.cost import money
from tenants.forms.moments import iso


def rendered_run(run: Run) -> dict[str, Any]:
    """Return a run."""
    return {
        "id": str(run.id),
        "user_id": run.subject.external_id,
        "compartments": run.compartments,
        "state": run.state,
        "reason": run.reason,
        "extractor": run.extractor,
        "episodes": run.episodes,
        "counts": run.counts,
        "prompt_tokens": run.prompt_tokens,
        "completion_tokens": run.completion_tokens,
        "cost": money(run.cost),
        "currency": run.currency,
        "error": run.error,
        "started_at": iso(run.started_at),
        "finished_at": iso(run.finished_at) if run.finished_at else None,
    }


def rendered_decision(decision: Decision) -> dict[str, Any]:
    """Return a decision."""
    return {
        "id": str(decision.id),
        "run_id": str(decision.run_id),
        "user_id": decision.subject.external_id,
        "turn_id": str(decision.turn_id),
        "episode_id": str(decision.episode_id),
        "verdict": decision.verdict,
        "why": decision.why,
        "rule": decision.rule,
        "start": decision.start,
        "end": decision.end,
        "confidence": decision.confidence,
        "memory_id": _id(decision.memory_id),
        "met_id": _id(decision.met_id),
        "relation_id": _id(decision.relation_id),
        "decided_at": iso(decision.decided_at),
    }


def rendered_review(item: ReviewItem) -> dict[str, Any]:
    """Return a review, with the words it is about."""
    return {
        "id": str(item.id),
        "user_id": item.subject.external_id if item.subject else None,
        "kind": item.kind,
        "state": item.state,
        "memory_id": _id(item.memory_id),
        "text": item.memory.text if item.memory else None,
        "met_id": _id(item.met_id),
        "met_text": item.met.text if item.met else None,
        "entity_id": _id(item.entity_id),
        "entity_name": item.entity.name if item.entity else None,
        "other_entity_id": _id(item.other_entity_id),
        "other_entity_name": item.other_entity.name if item.other_entity else None,
        "turn_id": _id(item.turn_id),
        "said": item.turn.content if item.turn else None,
        "trust": item.turn.trust if item.turn else None,
        "opened_at": iso(item.opened_at),
        "decided_at": iso(item.decided_at) if item.decided_at else None,
    }


def _id(value: UUID | None) -> str | None:
    return str(value) if value is not None else None
