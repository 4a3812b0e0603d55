"""The figures of the phases, and how far the sealer was behind."""

import time
from collections.abc import Sequence

import psycopg

from benchmarks.latency.measure import Phase
from benchmarks.timing import p50, p95, percentile
from memory_site.stack.environment import DATABASE
from memory_site.stack.stack import Stack

SEALED_WITHIN_S = 120.0


def sealed_after(stack: Stack) -> float:
    """Return how many seconds from now until no event is without a number."""
    begin = time.perf_counter()
    with psycopg.connect(stack.superuser_dsn, dbname=DATABASE, autocommit=True) as connection:
        while connection.execute("SELECT FROM tenants_event WHERE seq IS NULL LIMIT 1").fetchone() is not None:
            if time.perf_counter() - begin > SEALED_WITHIN_S:
                return float("inf")
            time.sleep(0.05)
    return time.perf_counter() - begin


def table(title: str, phases: Sequence[Phase]) -> str:
    """Return a row a phase, and below it where the time of each recall went."""
    lines = [
        title,
        "| | clients | requests | a second | p50 ms | p95 | p99 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {phase.verb} | {phase.clients} | {len(phase.ms)} | {len(phase.ms) / phase.seconds:.1f}"
        f" | {p50(phase.ms):.1f} | {p95(phase.ms):.1f} | {percentile(phase.ms, 0.99):.1f} |"
        for phase in phases
    ]
    lines += [
        f"{phase.verb}, {phase.clients} clients, p50/p95 ms: {_steps(phase)}" for phase in phases if phase.steps
    ]
    lines += [
        f"{phase.verb}, {phase.clients} clients, processor ms a request: {_cpu(phase)}"
        for phase in phases
        if phase.cpu_ms
    ]
    return "\n".join(lines)


def ratio(recall: Phase, bare: Phase) -> str:
    """Return how many times the bare query's time a recall takes."""
    return (
        f"{recall.verb} / {bare.verb}: {p50(recall.ms) / p50(bare.ms):.1f} at p50, "
        f"{p95(recall.ms) / p95(bare.ms):.1f} at p95"
    )


def _steps(phase: Phase) -> str:
    """Return each step's times, and its share of the median total, the longest first."""
    total = p50(phase.steps.get("total", phase.ms))
    order = sorted(phase.steps, key=lambda step: -p50(phase.steps[step]))
    return ", ".join(
        f"{step} {p50(phase.steps[step]):.1f}/{p95(phase.steps[step]):.1f} ({p50(phase.steps[step]) / total:.0%})"
        for step in order
    )


def _cpu(phase: Phase) -> str:
    order = sorted(phase.cpu_ms, key=lambda name: -phase.cpu_ms[name])
    return ", ".join(f"{name} {phase.cpu_ms[name]:.1f}" for name in order if phase.cpu_ms[name] >= 0.05)
