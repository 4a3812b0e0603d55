"""Weighing: what is known of a memory itself moves it a little, each weight multiplicative, bounded and explained."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memories.periods import Period
from tenants.policy import Policy
from tenants.recall_keys import HALF_LIVES

DAY_S = 86_400.0
USES_FULL = 100
"""Recalls after which use adds nothing more, on a scale of logarithms: being found often must not feed itself."""
WILSON_Z = 1.96
"""Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927; 95 %."""
AUTHORITY: Mapping[str, float] = {"user": 1.0, "api": 1.0, "tool": 0.5, "import": 0.5, "web": 0.0, "assistant": 0.0}
"""How far a source is believed, in [0, 1]: whoever speaks of himself, and whoever holds a key, fully."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What is known of a row beside its text.

    since: when it began to be true, or was said; None for what has no time. recalls: before this question.
    source_type: of its first source, or what it is trusted as, where that is less. successes, failures: outcomes
    of a playbook.
    """

    kind: str
    since: datetime | None = None
    confidence: float = 1.0
    importance: float = 0.5
    recalls: int = 0
    source_type: str = "user"
    successes: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the question says of what it wants. kinds: kinds of memory that suit it."""

    at: datetime
    period: Period | None = None
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How much each weight can move a memory, in [0, 1]; half_lives: in days by kind, None: age takes nothing."""

    age: float
    use: float
    confidence: float
    authority: float
    importance: float
    outcomes: float
    period: float
    kind: float
    half_lives: Mapping[str, float | None]


def shares_of(policy: Policy) -> Shares:
    """Return the shares of a policy."""
    names = ("age", "use", "confidence", "authority", "importance", "outcomes", "period", "kind")
    lives = {kind: policy[f"recall.half_life_days.{kind}"] for kind in HALF_LIVES}
    return Shares(
        half_lives={kind: float(days) if isinstance(days, int | float) else None for kind, days in lives.items()},
        **{name: policy.number(f"recall.{name}") for name in names},
    )


def weigh(traits: Traits, asked: Asked, shares: Shares) -> dict[str, float]:
    """Return each weight that is not 1, by name; the product stays within what the shares allow."""
    weights = {
        "age": _age(traits, asked, shares),
        "use": 1 + shares.use * _damped(traits.recalls),
        "confidence": 1 - shares.confidence * (1 - traits.confidence),
        "authority": 1 - shares.authority * (1 - AUTHORITY.get(traits.source_type, 1.0)),
        "importance": 1 + shares.importance * (2 * traits.importance - 1),
        "outcomes": 1 + shares.outcomes * proven(traits.successes, traits.failures),
        "period": _period(traits, asked, shares),
        "kind": 1 + shares.kind if traits.kind in asked.kinds else 1.0,
    }
    return {name: weight for name, weight in weights.items() if weight != 1.0}


def proven(successes: int, failures: int) -> float:
    """Return how far outcomes prove that a playbook works (up to 1) or does not (down to -1); 0 without any.

    The bound of Wilson's interval that is nearer to one half, on a scale from -1 to 1; 0 while the interval holds it.
    """
    tried = successes + failures
    if not tried:
        return 0.0
    share, square = successes / tried, WILSON_Z**2
    centre = (share + square / (2 * tried)) / (1 + square / tried)
    reach = WILSON_Z / (1 + square / tried) * math.sqrt(share * (1 - share) / tried + square / (4 * tried**2))
    low, high = centre - reach, centre + reach
    if low > 0.5:
        return 2 * low - 1
    return 2 * high - 1 if high < 0.5 else 0.0


def _age(traits: Traits, asked: Asked, shares: Shares) -> float:
    half_life = shares.half_lives.get(traits.kind)
    if traits.since is None or half_life is None:
        return 1.0
    days = max((asked.at - traits.since).total_seconds() / DAY_S, 0.0)
    return float(1 - shares.age * (1 - 2 ** (-days / half_life)))


def _damped(recalls: int) -> float:
    return min(math.log1p(recalls) / math.log1p(USES_FULL), 1.0)


def _period(traits: Traits, asked: Asked, shares: Shares) -> float:
    if asked.period is None or traits.since is None:
        return 1.0
    inside = asked.period.start <= traits.since < asked.period.end
    return 1 + shares.period if inside else 1.0
