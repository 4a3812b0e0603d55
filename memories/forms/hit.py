"""A recall's answer as JSON."""

from typing import Any

from memories.forms.explained import explained, explained_hit
from memories.forms.memory import shown, source_turn, turn_of
from memories.lines import stub
from memories.services.answer_recall import Hit, Recalled
from memories.services.strengths import COLD
from tenants.scope import Ability, Scope


def rendered(scope: Scope, recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    """Return the answer; with explain, how each hit got its place, and what nearly did.

    Where a hit comes from is shown only to who may read provenance.
    """
    answer: dict[str, Any] = {
        "recall_id": str(recalled.id),
        "results": [_hit(scope, hit, recalled, explain=explain) for hit in recalled.hits],
        "match": recalled.match,
        "reason": recalled.reason,
        "degraded": list(recalled.degraded),
        "took_ms": {step: round(ms, 2) for step, ms in recalled.took_ms.items()},
    }
    if explain:
        answer["explain"] = explained(recalled)
    return answer


def _hit(scope: Scope, hit: Hit, recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    row = hit.row
    tier = recalled.tiers.get(row.id)
    seen = shown(scope, row)
    if tier == COLD and "text" in seen:
        seen["text"] = stub(row.text)
    result = {
        "memory_id": str(row.id),
        "memory_type": row.kind,
        **seen,
        "score": round(hit.score, 6),
        "passage": None if hit.passage is None else {"start": hit.passage[0], "end": hit.passage[1]},
        "source": (source_turn(row) or turn_of(hit.said_in)) if Ability.PROVENANCE_READ in scope.abilities else None,
    }
    if tier is not None:
        result["tier"] = tier
    if explain:
        result["explain"] = explained_hit(hit, recalled)
    return result
