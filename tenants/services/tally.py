"""Tally: which of many equal happenings are worth an event, so that nobody fills the log by repeating one.

Of what happens again within ten minutes the first, the tenth, the hundredth … is noted, with its number; and of one
chain no more than some a minute, however many different addresses or keys somebody makes up. Who is known has an
allowance of his own: one key's flood hides nothing that another did.
"""

import threading
import time
from uuid import UUID

from backends.errors import Unavailable
from tenants.services.counters import counters

TALLIES = "mneme:tally:"
WINDOW_S = 600
NOTED_A_MINUTE = 20
"""Happenings of one chain and allowance noted a minute; of more, only the tenfold ones."""
REMEMBERED_MAX = 10_000


class _Here:
    """Counts of this process, for as long as the shared ones are away."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def count(self, name: str, window_s: int) -> int:
        now = time.monotonic()
        with self._lock:
            held, ends = self._counts.get(name, (0, 0.0))
            if ends <= now:
                held, ends = 0, now + window_s
            if len(self._counts) >= REMEMBERED_MAX:
                self._counts.clear()
            self._counts[name] = (held + 1, ends)
            return held + 1


_here = _Here()


def tally(chain: UUID | None, name: str, *, by: object = "") -> int | None:
    """Count a happening of a chain; return its number when it is worth an event, else None.

    by: whose allowance it takes of; empty = the one that all strangers share.
    """
    number = _count(f"{chain}:{name}", WINDOW_S)
    if not _is_tenfold(number):
        return None
    others = _count(f"{chain}:all:{by}", 60)
    return number if others <= NOTED_A_MINUTE or _is_tenfold(others) else None


def _is_tenfold(number: int) -> bool:
    return str(number).rstrip("0") == "1"


def _count(name: str, window_s: int) -> int:
    try:
        return counters().count(f"{TALLIES}{name}", window_s=window_s)[0]
    except Unavailable:
        return _here.count(name, window_s)
