"""Do something that waits for no database beside something that does: a model's work beside round trips."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

THREADS = 16
"""A process's; two for each question that is being answered, of which some may wait for a server."""

Result = TypeVar("Result")


def beside(work: Callable[[], Result], *, pool: str = "beside") -> "Future[Result]":
    """Begin a piece of work in a thread of its own and return its future; it must not touch the database.

    pool: what may take long has one of its own, or everything else would wait behind it.
    """
    return _pool(pool).submit(work)


@cache
def _pool(name: str) -> ThreadPoolExecutor:
    """Return a pool of the process; made on first use, so after any fork."""
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix=name)
