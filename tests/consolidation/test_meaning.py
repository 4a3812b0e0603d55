"""Which statements say the same: a list of pairs, of which no wrong one may pass."""

import json
from pathlib import Path

import pytest

from backends.embedders.bundled import BundledEmbedder
from consolidation.rules.meaning import NEAR, go_together, says_the_same

PAIRS: dict[str, list[list[str]]] = json.loads(
    (Path(__file__).parent / "near_facts.json").read_text(encoding="utf-8")
)
DIFFERENT = [tuple(pair) for pair in (*PAIRS["different"], *PAIRS["different_after"])]
SAME = [tuple(pair) for pair in (*PAIRS["same"], *PAIRS["same_after"])]
RECALL = 0.75
"""Of what says the same. What it misses stays two facts, which is no harm that anybody notices."""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_in_anything_that_counts_is_never_the_same(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


def test_most_of_what_says_the_same_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    for name, pairs in (("same", PAIRS["same"]), ("same_after", PAIRS["same_after"])):
        seen = [pair for pair in pairs if says_the_same(*pair)]
        assert len(seen) / len(pairs) >= (RECALL if name == "same" else 0.65), name
        assert all(says_the_same(other, one) for one, other in seen)


def test_nearness_alone_would_tell_nothing() -> None:
    """Why the words decide: nearly all pairs that differ are as near as those that do not."""
    embedder = BundledEmbedder()
    near = []
    for one, other in PAIRS["different"]:
        first, second = embedder.passages([one, other])
        near.append(float(first @ second) >= NEAR)
    assert sum(near) / len(near) > 0.9
    for one, other in SAME:
        if says_the_same(one, other):
            first, second = embedder.passages([one, other])
            assert float(first @ second) >= NEAR, (one, other)


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("allergic_to", "has_condition", True),
        ("has", "works_as", False),
        ("likes", "dislikes", False),
        ("prefers", "", True),
        ("lives_in", "comes_from", False),
        ("fond_of", "likes", True),
    ],
)
def test_predicates_go_together(one: str, other: str, together: bool) -> None:
    assert go_together(one, other) is together
    assert go_together(other, one) is together
