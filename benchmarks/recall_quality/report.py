"""What the run found: a table, the line for comparisons, and a file with every question."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import machine, versions
from benchmarks.recall_quality.asking import TOP_K, Asked
from benchmarks.recall_quality.conversations import DataSet
from benchmarks.recall_quality.ingest import Ingested
from benchmarks.recall_quality.metrics import Quality, quality
from benchmarks.timing import p50, p95

HEADINGS = ("", "n", "R@5", "R@10", "R@20", "R@80", "MRR", "nDCG@10", "p50 ms", "p95 ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Everything a report is made of. engine: as named by the caller; "unknown" where nobody said."""

    engine: str
    data: DataSet
    ingested: Ingested
    asked: Sequence[Asked]


def table(run: Run) -> str:
    """Return the figures of all questions and of each category, a line each."""
    rows = [HEADINGS, _row("all", run.asked)]
    for name in run.data.categories:
        asked = [one for one in run.asked if one.question.category == name]
        if asked:
            rows.append(_row(name, asked))
    width = max(12, *(len(row[0]) + 1 for row in rows))
    return "\n".join(f"{row[0]:<{width}}" + "".join(f"{cell:>9}" for cell in row[1:]) for row in rows)


def notes(run: Run) -> str:
    """Return what to know about the figures: evidence, writing speed, degraded answers."""
    data, ingested = run.data, run.ingested
    lines = [
        f"evidence: {data.repaired} entries repaired, {data.dropped} dropped; "
        f"{data.unanswerable} questions left out, since no turn answers them",
        *([f"evidence: {data.not_user} ids of what no user said left out"] if data.not_user else []),
        _speed(ingested),
    ]
    degraded = sum(bool(one.degraded) for one in run.asked)
    if degraded:
        lines.append(f"DEGRADED: {degraded} answers were given without one of their parts")
    return "\n".join(lines)


def last_line(run: Run) -> str:
    """Return the line that other programs read."""
    found, ms = _quality(run.asked), [one.client_ms for one in run.asked]
    return (
        f"{run.data.name} n={found.n} R@5={found.r_at_5:.4f} R@10={found.r_at_10:.4f} R@20={found.r_at_20:.4f} "
        f"MRR={found.mrr:.4f} nDCG@10={found.ndcg_at_10:.4f} p50_ms={p50(ms):.1f} p95_ms={p95(ms):.1f}"
    )


def write(run: Run, path: Path) -> None:
    """Write the whole run as JSON: ids and ranks, no text of the set."""
    report = {
        "dataset": {"name": run.data.name, "sha256": run.data.sha256},
        "engine": run.engine,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "top_k": TOP_K,
        "evidence": {
            "repaired": run.data.repaired,
            "dropped": run.data.dropped,
            "not_user": run.data.not_user,
            "unanswerable": run.data.unanswerable,
        },
        "record": {
            "turns": run.ingested.turns,
            "replayed": run.ingested.replayed,
            "recorded_s": round(run.ingested.recorded_s, 2),
            "searchable_s": round(run.ingested.searchable_s, 2),
        },
        "all": _figures(run.asked),
        "categories": {
            name: _figures([one for one in run.asked if one.question.category == name])
            for name in run.data.categories
        },
        "questions": [_question(one) for one in run.asked],
    }
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _quality(asked: Sequence[Asked]) -> Quality:
    return quality(one.ranks for one in asked)


def _row(name: str, asked: Sequence[Asked]) -> tuple[str, ...]:
    found, ms = _quality(asked), [one.client_ms for one in asked]
    shares = (found.r_at_5, found.r_at_10, found.r_at_20, found.r_at_80, found.mrr, found.ndcg_at_10)
    return (name, str(found.n), *(f"{share:.3f}" for share in shares), f"{p50(ms):.1f}", f"{p95(ms):.1f}")


def _speed(ingested: Ingested) -> str:
    if not ingested.turns:
        return f"record: all {ingested.replayed} turns were there already, nothing to measure"
    return (
        f"record: {ingested.turns} turns in batches in {ingested.recorded_s:.1f} s "
        f"({ingested.turns / ingested.recorded_s:.0f} a second), all searchable after "
        f"{ingested.searchable_s:.1f} s ({ingested.turns / ingested.searchable_s:.1f} a second)"
    )


def _figures(asked: Sequence[Asked]) -> dict[str, Any]:
    """Return the measures of some questions; null where there is no question to measure."""
    if not asked:
        return {"n": 0}
    client = [one.client_ms for one in asked]
    steps = {step: [one.took_ms.get(step, 0.0) for one in asked] for step in asked[0].took_ms}
    return {
        **{name: value if name == "n" else round(value, 4) for name, value in asdict(_quality(asked)).items()},
        "p50_ms": round(p50(client), 2),
        "p95_ms": round(p95(client), 2),
        "server_ms": {step: {"p50": round(p50(took), 2), "p95": round(p95(took), 2)} for step, took in steps.items()},
    }


def _question(one: Asked) -> dict[str, Any]:
    return {
        "conversation": one.conversation,
        "index": one.question.index,
        "category": one.question.category,
        "gold": list(one.question.gold),
        "ranks": list(one.ranks),
        "returned": one.returned,
        "degraded": list(one.degraded),
        "ms": round(one.client_ms, 2),
        "server_ms": one.took_ms.get("total"),
    }
