"""Measures of a ranking against the turns that answer the question."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Ranks = Sequence[int | None]
"""For each gold turn its rank (1 = first), or None where it was not returned. Never empty."""


def recall_at(ranks: Ranks, k: int) -> float:
    """Return the share of the gold turns within the first k."""
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def reciprocal_rank(ranks: Ranks) -> float:
    """Return 1 / the rank of the first gold turn, 0 if none was returned."""
    found = [rank for rank in ranks if rank is not None]
    return 1 / min(found) if found else 0.0


def ndcg_at(ranks: Ranks, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k, each gold turn worth 1.

    Source: Järvelin & Kekäläinen, ACM TOIS 20(4), 2002; discount log2(rank + 1).
    """
    gain = sum(_discount(rank) for rank in ranks if rank is not None and rank <= k)
    best = sum(_discount(rank) for rank in range(1, min(len(ranks), k) + 1))
    return gain / best


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Means over questions; n of them. mrr is over as many results as were asked for."""

    n: int
    r_at_5: float
    r_at_10: float
    r_at_20: float
    r_at_80: float
    mrr: float
    ndcg_at_10: float


def quality(questions: Iterable[Ranks]) -> Quality:
    """Return the mean measures; NaN each if there is no question."""
    listed = list(questions)

    def mean(values: Iterable[float]) -> float:
        return math.fsum(values) / len(listed) if listed else math.nan

    return Quality(
        n=len(listed),
        r_at_5=mean(recall_at(ranks, 5) for ranks in listed),
        r_at_10=mean(recall_at(ranks, 10) for ranks in listed),
        r_at_20=mean(recall_at(ranks, 20) for ranks in listed),
        r_at_80=mean(recall_at(ranks, 80) for ranks in listed),
        mrr=mean(reciprocal_rank(ranks) for ranks in listed),
        ndcg_at_10=mean(ndcg_at(ranks, 10) for ranks in listed),
    )


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
