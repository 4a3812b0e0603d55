"""Milliseconds of each step of one request."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Times named steps; a step that runs twice adds up."""

    def __init__(self) -> None:
        self._took_ms: dict[str, float] = {}
        self._start = time.perf_counter()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one step, also when it raises."""
        start = time.perf_counter()
        try:
            yield
        finally:
            elapsed_ms = (time.perf_counter() - start) * 1000
            self._took_ms[name] = self._took_ms.get(name, 0.0) + elapsed_ms

    def took_ms(self) -> dict[str, float]:
        """Return milliseconds by step, and in all since the start."""
        return {**self._took_ms, "total": (time.perf_counter() - self._start) * 1000}
