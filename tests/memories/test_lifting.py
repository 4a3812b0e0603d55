"""Lifting, over values made up by chance: nobody passes a literal match that stood before him."""

from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories.lifting import lifts

IDS = [UUID(int=number) for number in range(12)]
SCORES = st.fixed_dictionaries({one: st.floats(-5, 5) for one in IDS})
GAINS = st.dictionaries(st.sampled_from(IDS), st.floats(-1, 50))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine
@given(SCORES, GAINS, st.sets(st.sampled_from(IDS)))
def test_a_literal_match_has_nobody_new_before_it(
    scores: dict[UUID, float], gains: dict[UUID, float], literal: set[UUID]
) -> None:
    lifted = lifts(scores, gains, literal)
    after = {one: score + lifted.get(one, 0.0) for one, score in scores.items()}
    for match in literal:
        before = {one for one in IDS if scores[one] >= scores[match]}
        assert {one for one in IDS if after[one] >= after[match]} <= before


def test_what_stands_before_every_literal_match_is_lifted_in_full() -> None:
    first, second, third = IDS[:3]
    scores = {first: 3.0, second: 2.0, third: 1.0}
    lifted = lifts(scores, {first: 2.0, second: -1.0, third: 4.0}, {second})
    assert lifted == {first: 2.0, third: pytest.approx(1.0)}
    assert scores[third] + lifted[third] < scores[second]
