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


def table(engine: str, phases: Sequence[Phase]) -> str:
    """Return a row a phase."""
    lines = [
        f"{engine}, one tenant, every process running",
        "| | clients | requests | a second | p50 ms | p95 | p99 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {phase.verb} | {phase.clients} | {len(phase.ms)} | {len(phase.ms) / phase.seconds:.1f}"
        f" | {p50(phase.ms):.1f} | {p95(phase.ms):.1f} | {percentile(phase.ms, 0.99):.1f} |"
        for phase in phases
    ]
    return "\n".join(lines)
