"""The figures of the lifecycle set."""

from collections import Counter
from collections.abc import Sequence

from benchmarks.lifecycle.asking import Answered
from benchmarks.lifecycle.stories import LANGUAGES, SURFACES
from benchmarks.recall_quality.metrics import recall_at, reciprocal_rank
from benchmarks.timing import p50, p95

TIMES = ("as_of", "valid_at")


def table(answered: Sequence[Answered]) -> str:
    """Return R@5, R@10 and MRR of what has an answer: in all, by surface, by language."""
    found = [one for one in answered if one.ask.gold]
    rows = [f"{'':<12}{'n':>6}{'R@5':>8}{'R@10':>8}{'MRR':>8}", _row("all", found)]
    rows += [_row(surface, [one for one in found if one.ask.surface == surface]) for surface in SURFACES]
    rows += [_row(language, [one for one in found if one.ask.language == language]) for language in LANGUAGES]
    return "\n".join(rows)


def counts(answered: Sequence[Answered]) -> str:
    """Return what must not be there, how often the oracle is agreed with, and how well an empty answer is told."""
    wrong = Counter(why for one in answered for _, why in one.wrong)
    timed = [one for one in answered if one.ask.surface in TIMES]
    lines = [
        f"hits that must not be there: {dict(wrong) or 0}",
        f"as_of and valid_at as the oracle says: {sum(one.agrees for one in timed)} of {len(timed)}",
        no_match(answered),
    ]
    degraded = sum(bool(one.degraded) for one in answered)
    if degraded:
        lines.append(f"DEGRADED: {degraded} answers were given without one of their parts")
    return "\n".join(lines)


def no_match(answered: Sequence[Answered]) -> str:
    """Return precision and recall of `nothing matches`; questions after what has expired are left out."""
    asked = [one for one in answered if one.ask.surface != "expired"]
    denied = [one for one in asked if one.denied]
    right = sum(not one.ask.gold for one in denied)
    unanswerable = sum(not one.ask.gold for one in asked)
    precision = f"{right / len(denied):.3f}" if denied else "-"
    weak = sum(one.match == "weak" and not one.ask.gold for one in asked)
    return (
        f"no match: precision {precision} ({right} of {len(denied)} denied), recall {right / unanswerable:.3f} "
        f"({right} of {unanswerable} unanswerable), {weak} more said to match weakly"
    )


def misses(answered: Sequence[Answered]) -> str:
    """Return the questions whose gold was not among the first ten, and every hit that must not be there."""
    lines = []
    for one in answered:
        if one.ask.gold and not all(one.ranks):
            lines.append(f"MISSED {one.ask.surface} {one.ask.user}: {one.ask.text} {one.ask.gold} {one.ranks}")
        if one.ask.gold and one.denied:
            lines.append(f"DENIED {one.ask.surface} {one.ask.user}: {one.ask.text} ({one.match or one.reason})")
        lines += [
            f"WRONG {one.ask.surface} {one.ask.user}: {one.ask.text}: {text} is {why}" for text, why in one.wrong
        ]
    return "\n".join(lines)


def last_line(answered: Sequence[Answered]) -> str:
    """Return the line that other programs read."""
    found, ms = [one for one in answered if one.ask.gold], [one.ms for one in answered]
    timed = [one for one in answered if one.ask.surface in TIMES]
    by_language = " ".join(
        f"R@10_{language}={_mean([one for one in found if one.ask.language == language], 10):.4f}"
        for language in LANGUAGES
    )
    return (
        f"lifecycle n={len(answered)} R@5={_mean(found, 5):.4f} R@10={_mean(found, 10):.4f} {by_language} "
        f"MRR={_mrr(found):.4f} wrong={sum(len(one.wrong) for one in answered)} "
        f"oracle={sum(one.agrees for one in timed)}/{len(timed)} p50_ms={p50(ms):.1f} p95_ms={p95(ms):.1f}"
    )


def _row(name: str, answered: Sequence[Answered]) -> str:
    if not answered:
        return f"{name:<12}{0:>6}"
    return f"{name:<12}{len(answered):>6}{_mean(answered, 5):>8.3f}{_mean(answered, 10):>8.3f}{_mrr(answered):>8.3f}"


def _mean(answered: Sequence[Answered], k: int) -> float:
    return sum(recall_at(one.ranks, k) for one in answered) / max(1, len(answered))


def _mrr(answered: Sequence[Answered]) -> float:
    return sum(reciprocal_rank(one.ranks) for one in answered) / max(1, len(answered))
