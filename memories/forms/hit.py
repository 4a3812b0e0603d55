"""A recall's answer as JSON."""

from dataclasses import asdict
from typing import Any

from memories.forms.memory import shown, source_turn
from memories.services.recall import Hit, Recalled
from tenants.scope import Ability, Scope


def rendered(scope: Scope, recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    """Return the answer; with explain, each hit's legs and the weights that ranked it.

    Where a hit comes from is shown only to who may read provenance.
    """
    answer: dict[str, Any] = {
        "recall_id": str(recalled.id),
        "results": [_hit(scope, hit, recalled, explain=explain) for hit in recalled.hits],
        "reason": recalled.reason,
        "degraded": list(recalled.degraded),
        "took_ms": {step: round(ms, 2) for step, ms in recalled.took_ms.items()},
    }
    if explain:
        answer["explain"] = {"weights": asdict(recalled.weights)}
    return answer


def _hit(scope: Scope, hit: Hit, recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    row = hit.row
    result = {
        "memory_id": str(row.id),
        "memory_type": row.kind,
        **shown(scope, row),
        "score": round(hit.ranked.score, 6),
        "source": source_turn(row) if Ability.PROVENANCE_READ in scope.abilities else None,
    }
    if explain:
        result["explain"] = _explained(hit, fresh=(row.kind, row.id) in recalled.fresh)
    return result


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
        "rarity": round(ranked.rarity, 4),
        "session_best": round(ranked.session_best, 4),
        "sum": round(ranked.raw_score, 4),
        "from_overlay": fresh,
    }
