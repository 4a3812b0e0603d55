"""Lifting: what another wording of the question found moves up, but never past a literal match it was behind."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Set
from uuid import UUID

MARGIN = 1e-9
"""What is lifted as far as it may stays so much below the literal match."""


def lifts(scores: Mapping[UUID, float], gains: Mapping[UUID, float], literal: Set[UUID]) -> dict[UUID, float]:
    """Return what each row that another wording found gets added to its score.

    gains: what it would get if nobody stood before it. literal: rows that match the question's own words; whatever
    stands behind one stays behind it.
    """
    bars = sorted(scores[object_id] for object_id in literal if object_id in scores)
    lifted: dict[UUID, float] = {}
    for object_id, gain in gains.items():
        if object_id not in scores:
            continue
        above = bisect_right(bars, scores[object_id])
        room = bars[above] - MARGIN - scores[object_id] if above < len(bars) else math.inf
        if min(gain, room) > 0:
            lifted[object_id] = min(gain, room)
    return lifted
