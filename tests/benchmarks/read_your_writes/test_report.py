from dataclasses import replace

from benchmarks.read_your_writes.measure import Outcome
from benchmarks.read_your_writes.report import last_line, misses, table
from benchmarks.read_your_writes.trials import make_trials

OUTCOMES = [
    Outcome(
        trial=trial,
        turn_id=str(trial.index),
        record_ms=200.0 if trial.is_long else float(trial.index),
        recall_ms=30.0,
        rank=1,
        drained_ms=20.0,
        drained_rank=2,
    )
    for trial in make_trials(20, seed=1)
]


def test_the_last_line_holds_counts_and_times_of_short_and_long_turns() -> None:
    missed = [*OUTCOMES[:-1], replace(OUTCOMES[-1], rank=None, drained_rank=None)]
    assert last_line(missed) == (
        "read_your_writes n=20 top3=19 drained_top3=19 record_p50_ms=8.0 record_p95_ms=18.0 "
        "long_record_p50_ms=200.0 long_record_p95_ms=200.0"
    )


def test_the_table_counts_each_kind_of_turn() -> None:
    lines = [line.split() for line in table(OUTCOMES).splitlines()]
    assert lines[1][:5] == ["all", "20", "20", "20", "20"]
    counts = {line[0]: int(line[1]) for line in lines[1:]}
    assert counts["short"] == 18
    assert counts["long"] == 2
    assert counts["English"] + counts["Chinese"] == 20


def test_what_was_missed_is_named() -> None:
    assert misses(OUTCOMES) == ""
    missed = replace(OUTCOMES[3], rank=None)
    assert misses([missed, *OUTCOMES[4:]]) == f"missed at once: {missed.trial.question}"
