import math
from dataclasses import asdict

import pytest

from benchmarks.recall_quality.metrics import Ranks, ndcg_at, quality, recall_at, reciprocal_rank


@pytest.mark.parametrize(
    ("ranks", "k", "expected"),
    [((2, None), 5, 0.5), ((5,), 5, 1.0), ((6,), 5, 0.0), ((1, 6, 80, None), 80, 0.75), ((None,), 80, 0.0)],
)
def test_recall_is_the_share_of_gold_turns_found(ranks: Ranks, k: int, expected: float) -> None:
    assert recall_at(ranks, k) == expected


@pytest.mark.parametrize(("ranks", "expected"), [((4, 2), 0.5), ((1,), 1.0), ((None, None), 0.0), ((None, 8), 0.125)])
def test_reciprocal_rank_is_that_of_the_first_gold_turn(ranks: Ranks, expected: float) -> None:
    assert reciprocal_rank(ranks) == expected


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1,), 1.0),
        ((2, 1), 1.0),
        ((3,), 0.5),  # 1 / log2(4)
        ((2, None), 0.38685280723454163),  # (1 / log2(3)) / (1 + 1 / log2(3))
        ((11,), 0.0),
    ],
)
def test_ndcg_by_hand(ranks: Ranks, expected: float) -> None:
    assert ndcg_at(ranks, 10) == pytest.approx(expected)


def test_ndcg_of_more_gold_turns_than_places_can_still_be_one() -> None:
    assert ndcg_at([*range(1, 11), None, None], 10) == pytest.approx(1.0)


def test_quality_is_the_mean_over_questions() -> None:
    found = quality([(1,), (3, None), (None,)])
    assert asdict(found) == pytest.approx(
        {
            "n": 3,
            "r_at_5": 0.5,
            "r_at_10": 0.5,
            "r_at_20": 0.5,
            "r_at_80": 0.5,
            "mrr": (1 + 1 / 3) / 3,
            "ndcg_at_10": (1 + 0.5 / (1 + 1 / math.log2(3))) / 3,
        }
    )


def test_quality_of_nothing_is_no_number() -> None:
    assert math.isnan(quality([]).mrr)
