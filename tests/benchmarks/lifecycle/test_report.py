from dataclasses import replace
from datetime import UTC, datetime

from benchmarks.lifecycle.asking import Answered, denies, rank_of
from benchmarks.lifecycle.report import counts, last_line, misses, table
from benchmarks.lifecycle.stories import Ask
from memory_site.demo.client import Hit, Recalled

ASK = Ask(language="en", surface="fact", user="u", text="Which?", gold=("a",), absent=(), include_superseded=False,
          as_of=None, valid_at=None, valid_in_days=None)  # fmt: skip
FOUND = Answered(
    ask=ASK, ranks=(2,), wrong=(), denied=False, match="strong", reason=None, degraded=(), ms=10.0
)  # fmt: skip
LOST = replace(FOUND, ranks=(None,), ask=replace(ASK, language="zh", surface="as_of"))
NOTHING = replace(FOUND, ask=replace(ASK, gold=(), surface="unanswerable"), ranks=())
ANSWERED = [
    FOUND,
    LOST,
    replace(NOTHING, denied=True, match="none"),
    replace(NOTHING, match="weak"),
    replace(FOUND, denied=True, wrong=(("an old text", "superseded"),)),
]


def hit(text: str) -> Hit:
    return Hit(text=text, score=0.5, occurred_at=datetime(2025, 1, 1, tzinfo=UTC))


def test_twins_count_once_and_as_one() -> None:
    assert rank_of("b", [hit("a"), hit("a"), hit("b"), hit("b")]) == 2
    assert rank_of("c", [hit("a")]) is None


def test_an_answer_denies_by_being_empty_or_by_saying_so() -> None:
    empty = Recalled(hits=(), reason="below_threshold", degraded=(), client_ms=1, took_ms={})
    assert denies(empty)
    assert denies(replace(empty, hits=(hit("a"),), match="none"))
    assert not denies(replace(empty, hits=(hit("a"),), match="weak"))
    assert not denies(replace(empty, hits=(hit("a"),)))


def test_quality_is_of_what_has_an_answer() -> None:
    lines = {line.split()[0]: line.split()[1:] for line in table(ANSWERED).splitlines()[1:]}
    assert lines["all"] == ["3", "0.667", "0.667", "0.333"]
    assert lines["zh"] == ["1", "0.000", "0.000", "0.000"]
    assert lines["catalog"] == ["0"]


def test_the_counts_hold_what_is_wrong_and_how_well_nothing_is_told() -> None:
    found = counts(ANSWERED)
    assert "must not be there: {'superseded': 1}" in found
    assert "as the oracle says: 0 of 1" in found
    assert "precision 0.500 (1 of 2 denied), recall 0.500 (1 of 2 unanswerable), 1 more said to match weakly" in found


def test_what_was_missed_denied_and_wrong_is_named() -> None:
    assert misses(ANSWERED).splitlines() == [
        "MISSED as_of u: Which? ('a',) (None,)",
        "DENIED fact u: Which? (strong)",
        "WRONG fact u: Which?: an old text is superseded",
    ]


def test_the_last_line_holds_the_figures() -> None:
    assert last_line(ANSWERED) == (
        "lifecycle n=5 R@5=0.6667 R@10=0.6667 R@10_en=1.0000 R@10_zh=0.0000 MRR=0.3333 wrong=1 oracle=0/1 "
        "p50_ms=10.0 p95_ms=10.0"
    )
