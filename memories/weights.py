"""The weights that fuse the legs: a tenant's policy, for one profile."""

from collections.abc import Collection
from dataclasses import dataclass

from tenants.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of one profile; tenants.recall_keys says what each means.

    window, dense, dense_with_late, late, rerank, session: factors. own, graph, rare: added.
    """

    profile: str
    window: float
    dense: float
    dense_with_late: float
    late: float
    own: float
    graph: float
    session: float
    rare: float
    rerank: float


def weights_of(policy: Policy, *, speakers: Collection[str]) -> Weights:
    """Return the weights for talk among these speakers: general where there are several, unless the policy says."""
    profile = policy.text("recall.profile")
    if profile == "auto":
        profile = "general" if len(speakers) > 1 else "assistant"
    return weights_for(policy, profile)


def weights_for(policy: Policy, profile: str) -> Weights:
    """Return the weights of a profile."""
    names = ("window", "dense", "dense_with_late", "late", "own", "graph", "session", "rare")
    said = {name: policy.number(f"recall.{profile}.{name}") for name in names}
    return Weights(profile=profile, rerank=policy.number("recall.rerank"), **said)
