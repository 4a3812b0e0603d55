"""Wake a task: a courtesy that may fail silently.

Beat runs sync, embed and erase anyway; what provision did not mint, recall mints.

The broker is spoken to by one thread of the process, so that no request waits for it; what is asked for again before
it was sent is sent once.
"""

import logging
import threading

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

EXPIRES_S = 60
Wanted = tuple[str, tuple[tuple[str, str], ...]]


class Waker:
    """Sends what is wanted, each once, in the order it was first asked for."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._wanted: dict[Wanted, None] = {}
        self._changed = threading.Condition()

    def want(self, wanted: Wanted) -> None:
        """Note a task to be sent; start the thread if it does not run, as at first or after a fork."""
        with self._changed:
            self._wanted[wanted] = None
            self._changed.notify()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._send_for_ever, name="waker", daemon=True)
                self._thread.start()

    def _send_for_ever(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wanted)
                batch, self._wanted = list(self._wanted), {}
            for task, ids in batch:
                _send(task, dict(ids))


_waker = Waker()


def wake(task: str, **ids: str) -> None:
    """Ask a worker to run a task soon; returns at once, whether or not the broker is there."""
    _waker.want((task, tuple(sorted(ids.items()))))


def _send(task: str, ids: dict[str, str]) -> None:
    try:
        current_app.send_task(task, kwargs=ids, expires=EXPIRES_S, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("broker away, %s is not woken: %s", task, type(error).__name__)
