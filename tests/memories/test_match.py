"""The score of a hit, the match of an answer, and the threshold."""

from collections.abc import Callable

import pytest

from memories.relevance import Evidence, relevance
from tests.conftest import Caller

Drain = Callable[[], None]


def test_more_of_anything_is_never_less_relevant() -> None:
    steps = [n / 10 for n in range(11)]
    for plain in (Evidence(cosine=0.84), Evidence(cosine=0.84, late=0.5), Evidence(cosine=0.84, chinese=True)):
        for name, values in (("cosine", [0.75 + s / 5 for s in steps]), ("turn", steps), ("window", steps)):
            found = [
                relevance(
                    Evidence(
                        **{**{f: getattr(plain, f) for f in ("cosine", "late", "turn", "window")}, name: value},
                        chinese=plain.chinese,
                    )
                )
                for value in values
            ]
            assert found == sorted(found)
    assert relevance(Evidence(late=0.8, window=1.0)) > 0.9 > 0.5 > relevance(Evidence(late=0.2, cosine=0.8))
    assert relevance(Evidence(code=True)) >= 0.9


@pytest.fixture
def told(acme: Caller, drain: Drain) -> Caller:
    for number, text in enumerate(
        [
            "I moved to Edinburgh last year and love the castle",
            "My sister Clara keeps bees in her garden",
            "The hub in the hall needs its firmware updated",
            "I am allergic to peanuts, so no satay for me",
            "我每天早上喝一杯乌龙茶",
        ]
    ):
        acme.turn(text, session_id=f"s{number}")
    drain()
    return acme


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("What is the user allergic to?", "I am allergic to peanuts, so no satay for me"),
        ("Who keeps bees?", "My sister Clara keeps bees in her garden"),
        ("我早上喝什么茶?", "我每天早上喝一杯乌龙茶"),
    ],
)
def test_what_was_said_matches_and_scores_fall_down_the_list(told: Caller, query: str, best: str) -> None:
    answer = told.recall(query)
    scores = [hit["score"] for hit in answer["results"]]
    assert answer["results"][0]["text"] == best
    assert answer["match"] in ("weak", "strong")
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(
    "query", ["What is the capital of Mongolia?", "Which tyres fit a tractor?", "量子计算的原理是什么?"]
)
def test_what_was_never_mentioned_has_no_match(told: Caller, query: str) -> None:
    answer = told.recall(query)
    assert answer["match"] == "none"
    denied = told.recall(query, threshold=0.5)
    assert denied["results"] == []
    assert denied["reason"] == "below_threshold"
    assert denied["match"] == "none"


def test_a_threshold_out_of_range_is_refused(told: Caller) -> None:
    for threshold in (-0.1, 1.1, "x", None, float("nan")):
        body = {"user_id": "u1", "query": "bees", "threshold": threshold}
        if threshold != threshold:
            continue
        assert told.client.post("/api/v1/recall/", body, format="json").status_code == 400
