"""Percentiles of measured times."""

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` (0 to 1) of the values do not exceed; NaN of none.

    Source: nearest-rank method, as in NIST/SEMATECH e-Handbook 7.2.6.2 without interpolation.
    """
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def p50(values: Sequence[float]) -> float:
    """Return the median by nearest rank."""
    return percentile(values, 0.50)


def p95(values: Sequence[float]) -> float:
    """Return the 95th percentile by nearest rank."""
    return percentile(values, 0.95)
