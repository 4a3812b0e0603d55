"""What the run found: a table by kind of turn, the turns that were not found, and the line for comparisons."""

from collections.abc import Callable, Sequence

from benchmarks.read_your_writes.measure import Outcome
from benchmarks.read_your_writes.sentences import Language
from benchmarks.timing import p50, p95

HEADINGS = ("", "n", "first", "top 3", "drained", "record p50", "p95", "recall p50", "p95", "drained p50", "p95")
MISSES_SHOWN = 20

GROUPS: dict[str, Callable[[Outcome], bool]] = {
    "all": lambda _: True,
    "English": lambda outcome: outcome.trial.language is Language.ENGLISH,
    "Chinese": lambda outcome: outcome.trial.language is Language.CHINESE,
    "short": lambda outcome: not outcome.trial.is_long,
    "long": lambda outcome: outcome.trial.is_long,
}


def table(outcomes: Sequence[Outcome]) -> str:
    """Return counts and milliseconds for each kind of turn; drained: within the first three, engine alone."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    rows += [_row(name, [one for one in outcomes if belongs(one)]) for name, belongs in GROUPS.items()]
    return "\n".join(f"{row[0]:<8}" + "".join(f"{cell:>12}" for cell in row[1:]) for row in rows)


def misses(outcomes: Sequence[Outcome]) -> str:
    """Return the questions whose turn was not among the first three, at once or later; empty if there are none."""
    missed = [one for one in outcomes if one.rank is None or one.drained_rank is None]
    lines = [
        f"missed{' at once' if one.rank is None else ''}{' drained' if one.drained_rank is None else ''}: "
        f"{one.trial.question}{' degraded: ' + ', '.join(one.degraded) if one.degraded else ''}"
        for one in missed[:MISSES_SHOWN]
    ]
    if len(missed) > MISSES_SHOWN:
        lines.append(f"… and {len(missed) - MISSES_SHOWN} more")
    return "\n".join(lines)


def last_line(outcomes: Sequence[Outcome]) -> str:
    """Return the line that other programs read; top3 and drained_top3 are counts out of n."""
    short = [one.record_ms for one in outcomes if not one.trial.is_long]
    long = [one.record_ms for one in outcomes if one.trial.is_long]
    return (
        f"read_your_writes n={len(outcomes)} top3={sum(one.rank is not None for one in outcomes)} "
        f"drained_top3={sum(one.drained_rank is not None for one in outcomes)} "
        f"record_p50_ms={p50(short):.1f} record_p95_ms={p95(short):.1f} "
        f"long_record_p50_ms={p50(long):.1f} long_record_p95_ms={p95(long):.1f}"
    )


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = (
        len(outcomes),
        sum(one.rank == 1 for one in outcomes),
        sum(one.rank is not None for one in outcomes),
        sum(one.drained_rank is not None for one in outcomes),
    )
    times = (
        [one.record_ms for one in outcomes],
        [one.recall_ms for one in outcomes],
        [one.drained_ms for one in outcomes],
    )
    cells = [f"{value(ms):.1f}" for ms in times for value in (p50, p95)]
    return (name, *map(str, counts), *cells)
