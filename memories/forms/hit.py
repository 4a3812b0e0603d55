"""A recall's answer as JSON."""

from dataclasses import asdict
from typing import Any

from memories.services.recall import Hit, Recalled
from tenants.forms.moments import iso


def rendered(recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    """Return the answer; with explain, each hit's legs and the weights that ranked it."""
    answer: dict[str, Any] = {
        "recall_id": str(recalled.id),
        "results": [_hit(hit, recalled, explain=explain) for hit in recalled.hits],
        "reason": recalled.reason,
        "degraded": list(recalled.degraded),
        "took_ms": {step: round(ms, 2) for step, ms in recalled.took_ms.items()},
    }
    if explain:
        answer["explain"] = {"weights": asdict(recalled.weights)}
    return answer


def _hit(hit: Hit, recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    memory = hit.memory
    result: dict[str, Any] = {
        "memory_id": str(memory.id),
        "memory_type": memory.memory_type,
        "text": memory.text,
        "score": round(hit.ranked.score, 6),
        "user_id": memory.subject.external_id if memory.subject else None,
        "occurred_at": iso(memory.valid_from),
        "recorded_at": iso(memory.recorded_at),
        "source": _source(hit),
    }
    if explain:
        result["explain"] = _explained(hit, fresh=memory.id in recalled.fresh_ids)
    return result


def _source(hit: Hit) -> dict[str, Any] | None:
    """Return where a memory comes from: the turn of the archive."""
    turn, session = hit.memory.turn, hit.memory.session
    if turn is None or session is None:
        return None
    return {
        "turn_id": str(turn.id),
        "session_id": session.external_id,
        "position": turn.position,
        "role": turn.role,
        "speaker": turn.speaker or None,
        "agent_id": turn.agent_id,
        "metadata": turn.metadata,
    }


def _explained(hit: Hit, *, fresh: bool) -> dict[str, Any]:
    """Return how a hit got its place. Ranks and z-scores are over this question's pool; null = not in that leg."""
    ranked = hit.ranked
    return {
        "legs": {
            "lexical": {"rank": ranked.lexical_rank, "z": round(ranked.lexical_z, 4)},
            "dense": {
                "rank": ranked.dense_rank,
                "z": None if ranked.dense_z is None else round(ranked.dense_z, 4),
            },
        },
        "by_participant_asked_about": ranked.own,
        "rarity": round(ranked.candidate.rarity, 4),
        "session_best": round(ranked.session_best, 4),
        "sum": round(ranked.raw_score, 4),
        "from_overlay": fresh,
    }
