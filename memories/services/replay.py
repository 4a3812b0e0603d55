"""Replay a stored recall: compute its order again from the numbers it was made of."""

from dataclasses import dataclass, replace
from uuid import UUID

from memories.models import RecallLog
from memories.ranking import Outcome, choose, place
from memories.services.packed_ranking import Kept, unpack
from memories.weights import Weights, weights_for
from tenants.policy import Policy
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.open_scope import open_scope
from tenants.services.policy_of import policy_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A stored recall computed again. identical: the same memories, in the same order, with the same scores."""

    log: RecallLog
    kept: Kept
    policy: Policy
    outcome: Outcome
    identical: bool


def replay(scope: Scope, recall_id: UUID) -> Replayed:
    """Compute a stored recall again, under the weights and the policy that it ran under.

    Raises ScopeDenied, also where fields are hidden from the scope, since the weights would tell of them;
    RecallLog.DoesNotExist, also where the scope holds less than the one that asked.
    """
    scope.require(Ability.MEMORIES_READ)
    if scope.hidden_fields:
        raise ScopeDenied("fields are hidden from the key, and what an old answer was made of would tell of them")
    with open_scope(scope):
        log = RecallLog.objects.select_related("subject").get(id=recall_id)
        policy = policy_at(log.policy_version)
    kept = unpack(bytes(log.ranking))
    outcome = _computed(kept, kept.weights, policy)
    ids = [one.id for one, _ in outcome.chosen]
    scores = tuple(score for _, score in outcome.chosen)
    return Replayed(
        log=log,
        kept=kept,
        policy=policy,
        outcome=outcome,
        identical=ids == list(log.result_ids) and scores == kept.scores,
    )


def under(replayed: Replayed, policy: Policy) -> Outcome:
    """Return what the stored recall would have answered under another policy, from the same numbers.

    The profile stays the one that the recall had, unless the policy names one. Weights, threshold and near duplicates
    are judged anew; what the engine was asked (candidates, a word's weight in the window) is as it was.
    """
    named = policy.text("recall.profile")
    profile = replayed.kept.weights.profile if named == "auto" else named
    weights = weights_for(policy, profile, query=str(replayed.log.question["query"]))
    kept = replayed.kept
    if "threshold" not in replayed.log.question:
        kept = replace(kept, threshold=policy.number("recall.threshold"))
    if not policy["recall.near_duplicates"]:
        kept = replace(kept, read=replace(kept.read, repeats={}, instead={}))
    return _computed(kept, weights, policy)


def _computed(kept: Kept, weights: Weights, policy: Policy) -> Outcome:
    placed = place(kept.pool, weights=weights, policy=policy)
    return choose(placed, kept.pool, kept.read, top_k=kept.top_k, threshold=kept.threshold)
