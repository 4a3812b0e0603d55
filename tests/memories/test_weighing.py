"""Weights: multiplicative, bounded, and nothing where nothing is known."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.weighing import Asked, Shares, Traits, proven, shares_of, weigh
from tenants.policy import DEFAULT

AT = datetime(2026, 11, 30, tzinfo=UTC)
SHARES = shares_of(DEFAULT)


def test_what_is_plain_weighs_nothing() -> None:
    assert weigh(Traits(kind="episodic", since=AT), Asked(at=AT), SHARES) == {}
    assert weigh(Traits(kind="entity"), Asked(at=AT), SHARES) == {}


def test_half_of_the_share_of_age_is_gone_after_one_half_life() -> None:
    year = Traits(kind="episodic", since=AT - timedelta(days=365))
    assert weigh(year, Asked(at=AT), SHARES)["age"] == pytest.approx(1 - SHARES.age / 2)
    assert "age" not in weigh(Traits(kind="procedural", since=AT - timedelta(days=9_999)), Asked(at=AT), SHARES)
    assert "age" not in weigh(Traits(kind="episodic", since=AT + timedelta(days=9)), Asked(at=AT), SHARES)


@pytest.mark.parametrize(
    ("successes", "failures", "sign"),
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (9, 0, 1), (0, 9, -1), (5, 5, 0), (90, 10, 1)],
)
def test_outcomes_count_as_far_as_they_prove_something(successes: int, failures: int, sign: int) -> None:
    found = proven(successes, failures)
    assert (found > 0) - (found < 0) == sign
    assert -1 <= found <= 1
    assert proven(failures, successes) == pytest.approx(-found)


def test_more_proof_of_the_same_share_weighs_more() -> None:
    assert 0 < proven(9, 1) < proven(90, 10) < proven(900, 100) < 0.8


@given(
    traits=st.builds(
        Traits,
        kind=st.sampled_from(["episodic", "semantic", "procedural", "entity", "relation", "catalog"]),
        since=st.none() | st.datetimes(timezones=st.just(UTC)),
        confidence=st.floats(0, 1),
        importance=st.floats(0, 1),
        recalls=st.integers(0, 10**9),
        source_type=st.sampled_from(["user", "api", "tool", "import", "assistant", "other"]),
        successes=st.integers(0, 10**6),
        failures=st.integers(0, 10**6),
    )
)
def test_every_weight_stays_within_its_share(traits: Traits) -> None:
    weights = weigh(traits, Asked(at=AT, kinds=frozenset({"semantic"})), SHARES)
    for name, weight in weights.items():
        share = getattr(SHARES, name)
        assert 1 - share - 1e-9 <= weight <= 1 + share + 1e-9


def test_being_recalled_a_thousand_times_is_no_more_than_a_hundred() -> None:
    def use(recalls: int, shares: Shares = SHARES) -> float:
        return weigh(Traits(kind="episodic", recalls=recalls), Asked(at=AT), shares)["use"]

    assert 1 < use(1) < use(10) < use(100) == use(1_000) == pytest.approx(1 + SHARES.use)
