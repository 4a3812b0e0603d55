"""An import over HTTP by clients that give nothing up: a request is sent, under its own key, until it is taken."""

import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

REQUEST_TIMEOUT_S = 20.0
PAUSE_S = 0.2
BATCH = 5
"""Each second request of a session is a batch of so many turns."""


def word(session: int, number: int) -> str:
    """Return the code word of a turn, by which it alone is found."""
    return f"zebra{session}x{number}"


@dataclass(slots=True, kw_only=True)
class Seen:
    """What the clients saw. statuses: answers by code; 0 = none. acknowledged: turns by session, in order."""

    statuses: Counter[int] = field(default_factory=Counter)
    acknowledged: dict[int, list[str]] = field(default_factory=dict)
    replayed: int = 0

    @property
    def turns(self) -> int:
        """Return how many turns are acknowledged so far."""
        return sum(map(len, list(self.acknowledged.values())))


class Importer:
    """One session's turns, said in order, by a thread of its own."""

    def __init__(self, url: str, key: str, session: int, turns: int, seen: Seen, stop: threading.Event) -> None:
        self._client = httpx.Client(
            base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=REQUEST_TIMEOUT_S
        )
        self._session, self._turns, self._seen, self._stop = session, turns, seen, stop
        self._seen.acknowledged[session] = []

    def run(self) -> None:
        """Send everything."""
        at = 0
        alone = True
        while at < self._turns and not self._stop.is_set():
            numbers = range(at, at + 1) if alone else range(at, min(at + BATCH, self._turns))
            ids = self._send(numbers)
            self._seen.acknowledged[self._session] += ids
            at += len(numbers)
            alone = not alone
        self._client.close()

    def _send(self, numbers: Sequence[int]) -> list[str]:
        turns = [
            {
                "user_id": f"user-{self._session % 3}",
                "session_id": f"session-{self._session}",
                "content": f"the code word number {number} is {word(self._session, number)}",
            }
            for number in numbers
        ]
        headers = {"Idempotency-Key": f"{self._session}-{numbers[0]}"}
        while not self._stop.is_set():
            try:
                if len(turns) == 1:
                    answer = self._client.post("turns/", json=turns[0], headers=headers)
                else:
                    answer = self._client.post("turns/batch/", json={"turns": turns}, headers=headers)
            except httpx.TransportError:
                self._seen.statuses[0] += 1
                time.sleep(PAUSE_S)
                continue
            self._seen.statuses[answer.status_code] += 1
            if answer.status_code == httpx.codes.CREATED:
                self._seen.replayed += "Idempotency-Replayed" in answer.headers
                made = [answer.json()] if len(turns) == 1 else answer.json()["turns"]
                return [turn["turn_id"] for turn in made]
            time.sleep(PAUSE_S)
        return []
