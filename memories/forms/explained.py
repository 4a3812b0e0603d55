"""Why the answer is as it is, in numbers and in words."""

from dataclasses import asdict
from typing import Any

from memories.differences import DROPPED, PARTS, WEIGHTS
from memories.ranking import BEYOND, COPY, REPEAT, TOO_LOW, Placed
from memories.services.answer_recall import Hit, Recalled
from memories.services.read_head import key_of
from memories.services.rewrite import Rewriting
from tenants.scope import Scope

NEAR_MISSES = 5
WEIGHT_MIN = 0.005
"""A smaller weight is in the numbers, not in the words."""
_TOLD = (COPY, REPEAT, TOO_LOW, BEYOND)
"""Reasons that are told; what the record did not confirm is left unsaid."""


def explained(recalled: Recalled) -> dict[str, Any]:
    """Return what the whole answer was made with: weights, policy, and near misses with their reasons."""
    period, gathered = recalled.asked.period, recalled.gathered
    return {
        "weights": asdict(recalled.weights),
        "policy_version": recalled.policy.version,
        "question_kind": recalled.question_kind,
        "period": None if period is None else {"from": period.start.isoformat(), "to": period.end.isoformat()},
        "search": {"legs": list(gathered.legs), "fusion": gathered.fusion},
        "reranker": {"model": gathered.reranker, "memories": len(gathered.signals.rerank)}
        if gathered.reranker
        else None,
        "rewrite": _rewrite(gathered.rewriting),
        "near_misses": list(_near_misses(recalled)),
    }


def _rewrite(rewriting: Rewriting | None) -> dict[str, Any] | None:
    """Return what came of asking for other wordings; None where nobody asked."""
    if rewriting is None:
        return None
    told = f"The model gave no other wording ({rewriting.code}): the question as asked stands alone."
    if not rewriting.code:
        told = (
            f"Looked for in {len(rewriting.queries)} other wordings too. The question as asked keeps its weight, and"
            " what they found passed none of its literal matches."
        )
    return {
        "model": rewriting.model,
        "provider": rewriting.provider,
        "queries": list(rewriting.queries),
        "code": rewriting.code or None,
        "words": told,
    }


def explained_hit(hit: Hit, recalled: Recalled) -> dict[str, Any]:
    """Return how a hit got its place; ranks are over this question's pool, null = not in that leg.

    What a field weighed that is hidden from the scope is in neither numbers nor words.
    """
    numbers = _numbers(hit.placed, recalled.scope)
    key = key_of(hit.placed)
    return {**numbers, "from_overlay": key in recalled.fresh, "words": _words(hit.placed, recalled.scope)}


def _near_misses(recalled: Recalled) -> list[dict[str, Any]]:
    """Return the best placed rows that are not in the answer; what the record did not confirm is left unsaid."""
    missed = [(one, why) for one, why in recalled.outcome.dropped if why in _TOLD and key_of(one) in recalled.rows]
    return [
        {
            "memory_id": str(one.id),
            "memory_type": one.ranked.candidate.kind,
            "reason": why,
            **_numbers(one, recalled.scope),
            "words": f"It is not in the answer since it {DROPPED[why]}. {_words(one, recalled.scope)}",
        }
        for one, why in missed[:NEAR_MISSES]
    ]


def _numbers(one: Placed, scope: Scope) -> dict[str, Any]:
    ranked = one.ranked
    total = {} if scope.hidden_fields else {"total": round(one.total, 4)}  # else the difference would tell
    return {
        "legs": {
            "lexical": {"rank": ranked.lexical_rank},
            "dense": {"rank": ranked.dense_rank},
            **({} if ranked.semantic_rank is None else {"semantic": {"rank": ranked.semantic_rank}}),
        },
        "parts": {name: round(value, 4) for name, value in ranked.parts.items()},
        "fused": round(ranked.raw_score, 4),
        "weights": {name: round(weight, 4) for name, weight in _seen(one, scope).items()},
        **total,
    }


def _seen(one: Placed, scope: Scope) -> dict[str, float]:
    """Return the weights of what is not hidden from the scope."""
    return {name: weight for name, weight in one.weights.items() if name not in scope.hidden_fields}


def _words(one: Placed, scope: Scope) -> str:
    """Return a sentence or two that say what placed a row, the strongest first."""
    helped = sorted(((value, name) for name, value in one.ranked.parts.items() if value > 0), reverse=True)
    harmed = sorted((value, name) for name, value in one.ranked.parts.items() if value < 0)
    said = []
    if helped:
        said.append("Placed by " + ", ".join(f"{PARTS[name]} (+{value:.2f})" for value, name in helped) + ".")
    if harmed:
        said.append("Held back by " + ", ".join(f"{PARTS[name]} ({value:.2f})" for value, name in harmed) + ".")
    weighed = [
        f"{WEIGHTS[name]} ({(weight - 1) * 100:+.0f} %)"
        for name, weight in sorted(_seen(one, scope).items())
        if abs(weight - 1) >= WEIGHT_MIN
    ]
    if weighed:
        said.append(f"Weighed for {', '.join(weighed)}.")
    return " ".join(said)
