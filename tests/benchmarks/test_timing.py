import math

import pytest

from benchmarks.timing import p50, p95, percentile


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, 15.0), (0.05, 15.0), (0.30, 20.0), (0.40, 20.0), (0.50, 35.0), (1.0, 50.0)]
)
def test_nearest_rank_by_hand(share: float, expected: float) -> None:
    assert percentile([35.0, 20.0, 15.0, 50.0, 40.0], share) == expected


def test_p50_and_p95_of_a_hundred() -> None:
    values = [float(value) for value in range(1, 101)]
    assert (p50(values), p95(values)) == (50.0, 95.0)


def test_nothing_has_no_percentile() -> None:
    assert math.isnan(p50([]))
