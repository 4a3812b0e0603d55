"""What the search engine answered is kept for a while, for the same question of the same scope.

Only the engine's proposal is kept: the record confirms, weighs and reads every row of it anew, so what was erased,
closed or expired since never comes back. The key holds the latest version of what the scope can see: what was written
since makes it another.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from time import monotonic

from cachetools import TLRUCache
from django.db import connection

from backends.search.base import Answer, Query
from memories.metrics import KEPT_ANSWERS
from tenants.scope import Scope

ANSWERS_MAX = 256
"""Of a process, some 40 KB each; the one that was not asked for longest goes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    answer: Answer
    seconds: float


def latest_version(scope: Scope) -> int:
    """Return the latest version of what a scope can see, whatever its kinds and compartments. The scope is open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memories_latest_version(%s, %s)", [scope.tenant_id, scope.subject_id])
        row = cursor.fetchone()
    return int(row[0]) if row and row[0] is not None else 0


def kept_answer(query: Query, *, engine: str, version: int) -> Answer | None:
    """Return what the engine answered to the query, if that is kept and nothing was written since."""
    with _lock:
        entry = _answers().get(_key(query, engine, version))
    KEPT_ANSWERS.labels("hit" if entry is not None else "miss").inc()
    return None if entry is None else entry.answer


def keep_answer(query: Query, answer: Answer, *, engine: str, version: int, seconds: float) -> None:
    """Keep an answer for so many seconds; 0: not at all."""
    if seconds:
        with _lock:
            _answers()[_key(query, engine, version)] = _Entry(answer=answer, seconds=seconds)


def forget_answers() -> None:
    """Forget all."""
    with _lock:
        _answers().clear()


def _key(query: Query, engine: str, version: int) -> Hashable:
    """Return what must be the same. The moment it is judged at is not among it: the record judges anew."""
    where = replace(query.where, judged_at=None)
    return engine, version, replace(query, vector=None, where=where), query.vector is not None


_lock = Lock()


@cache
def _answers() -> "TLRUCache[Hashable, _Entry]":
    return TLRUCache(ANSWERS_MAX, ttu=_ends_at, timer=monotonic)


def _ends_at(_: Hashable, entry: _Entry, now: float) -> float:
    return now + entry.seconds
