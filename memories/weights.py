"""The weights that fuse the legs: a tenant's policy, for one profile."""

from collections.abc import Collection
from dataclasses import dataclass

from memories.chinese import has_chinese
from tenants.policy import Policy

MEANING_OF_CODES = 0.1
"""How much of its weight meaning keeps for a code: `X-40:L8` is near to `X-40:U8`, and is another one. Not nothing,
so that what has no word of it comes in some order."""
CODE_MIN_LENGTH = 5
"""Characters; shorter ones, such as a year or an hour, mean something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of one profile; tenants.recall_keys says what each means.

    window, dense, dense_with_late, semantic, late, rerank, session: factors. own, graph, rare: added.
    rewrite: a share.
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
    rewrite: float = 0.0
    semantic: float = 0.0


def weights_of(policy: Policy, *, speakers: Collection[str], query: str) -> Weights:
    """Return the weights for talk among these speakers: general where there are several, unless the policy says."""
    profile = policy.text("recall.profile")
    if profile == "auto":
        profile = "general" if len(speakers) > 1 else "assistant"
    return weights_for(policy, profile, query=query)


def weights_for(policy: Policy, profile: str, *, query: str) -> Weights:
    """Return the weights of a profile for a question; one that is nothing but a code is looked for by its words."""
    names = ("window", "dense", "dense_with_late", "late", "own", "graph", "session", "rare")
    said = {name: policy.number(f"recall.{profile}.{name}") for name in names}
    if is_nothing_but_a_code(query):
        said |= {name: MEANING_OF_CODES * said[name] for name in ("dense", "dense_with_late", "late")}
    rewrite = policy.number("recall.rewrite_weight") if policy["recall.rewrite"] else 0.0
    return Weights(
        profile=profile,
        rerank=policy.number("recall.rerank"),
        rewrite=rewrite,
        semantic=policy.number("recall.semantic"),
        **said,
    )


def is_nothing_but_a_code(query: str) -> bool:
    """Say whether a question is a code, a number or an address: each of its words has a digit, none is Chinese."""
    words = query.split()
    long_enough = sum(map(len, words)) >= CODE_MIN_LENGTH
    return long_enough and not has_chinese(query) and all(any(map(str.isdigit, word)) for word in words)
