"""Counters in Valkey or Redis: shared by all processes, each changed by one script, so that none is counted past.

Own scripts and not the package `limits`: several counters are taken together or not at all, many units at a time, in
one round trip.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import redis

from backends.errors import Unavailable

TIMEOUT_S = 0.25
REST_S = 2.0
"""After a failure nobody asks for so long: a server that hangs must not cost every request a timeout."""

_SPEND = """
for i, key in ipairs(KEYS) do
    local held = tonumber(redis.call('GET', key) or '0')
    if held + tonumber(ARGV[3 * i - 1]) > tonumber(ARGV[3 * i - 2]) then
        return {i, redis.call('PTTL', key)}
    end
end
for i, key in ipairs(KEYS) do
    redis.call('INCRBY', key, ARGV[3 * i - 1])
    if redis.call('PTTL', key) < 0 then
        redis.call('PEXPIRE', key, ARGV[3 * i])
    end
end
return {0, 0}
"""
_GIVE_BACK = """
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then
    redis.call('DECRBY', KEYS[1], ARGV[1])
end
"""
_COUNT = """
local held = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return {held, redis.call('PTTL', KEYS[1])}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What is to be taken of one counter. limit: units a window; the window begins with the first unit taken."""

    counter: str
    units: int
    limit: int
    window_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """A counter that has too little left. retry_after_s: until its window ends; 0 = more than a whole window has."""

    counter: str
    retry_after_s: float


class Counters:
    """The counters of one server. Every method raises Unavailable when it does not answer, and soon after that."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(url, socket_connect_timeout=TIMEOUT_S, socket_timeout=TIMEOUT_S)
        self._spend = self._client.register_script(_SPEND)
        self._give_back = self._client.register_script(_GIVE_BACK)
        self._count = self._client.register_script(_COUNT)
        self._rests_until = 0.0
        self._lock = threading.Lock()

    def spend(self, costs: Sequence[Cost]) -> Full | None:
        """Take all costs, or none; return the first counter that has too little left, or None."""
        arguments = [number for cost in costs for number in (cost.limit, cost.units, cost.window_s * 1000)]
        with self._asked():
            at, left_ms = self._spend(keys=[cost.counter for cost in costs], args=arguments)
        if not at:
            return None
        cost = costs[at - 1]
        return Full(counter=cost.counter, retry_after_s=max(left_ms, 0) / 1000 if cost.units <= cost.limit else 0)

    def give_back(self, counter: str, units: int) -> None:
        """Put back what was taken for nothing; never below zero."""
        with self._asked():
            self._give_back(keys=[counter], args=[units])

    def count(self, counter: str, *, window_s: int) -> tuple[int, float]:
        """Count one more; return how many there are in this window, and the seconds until it ends."""
        with self._asked():
            held, left_ms = self._count(keys=[counter], args=[window_s * 1000])
        return int(held), max(left_ms, 0) / 1000

    def forget(self, counters: Sequence[str]) -> None:
        """Remove counters."""
        if counters:
            with self._asked():
                self._client.delete(*counters)

    def forget_below(self, prefix: str) -> int:
        """Remove all counters whose names begin so, and return how many there were; reads every name there is."""
        with self._asked():
            found = list(self._client.scan_iter(match=f"{prefix}*", count=1_000))
            return int(self._client.delete(*found)) if found else 0

    def close(self) -> None:
        """Close the connections; the next use makes new ones."""
        self._client.close()

    def held(self, counters: Sequence[str]) -> int:
        """Return how many of these counters there are."""
        if not counters:
            return 0
        with self._asked():
            return int(self._client.exists(*counters))

    @contextmanager
    def _asked(self) -> Iterator[None]:
        if time.monotonic() < self._rests_until:
            raise Unavailable("the counters did not answer a moment ago")
        try:
            yield
        except (redis.RedisError, OSError) as error:
            with self._lock:
                self._rests_until = time.monotonic() + REST_S
            raise Unavailable(f"the counters did not answer ({type(error).__name__})") from error
