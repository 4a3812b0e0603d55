"""One phase: so many clients, each with a thread and a connection, sending one request after the other."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from benchmarks.read_your_writes.trials import make_trials
from memory_site.demo.client import Api

SEED = 20_261_130
USERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What was measured. seconds: of the whole phase; ms: of each request, as its client saw it."""

    verb: str
    clients: int
    seconds: float
    ms: tuple[float, ...]


def record_phase(url: str, key: str, *, clients: int, requests: int) -> Phase:
    """Write short and long turns, English and Chinese, of some users of one tenant."""
    trials = make_trials(requests, seed=SEED + clients)

    def write(api: Api, number: int) -> None:
        trial = trials[number]
        api.record(
            {"user_id": f"user-{number % USERS}", "session_id": f"chat-{number % 97}", "content": trial.statement}
        )

    return _phase("record", url, key, clients, requests, write)


def recall_phase(url: str, key: str, *, clients: int, requests: int) -> Phase:
    """Ask for what was written."""
    trials = make_trials(requests, seed=SEED + clients)
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    order = [chance.randrange(requests) for _ in range(requests)]

    def ask(api: Api, number: int) -> None:
        trial = order[number]
        question: dict[str, Any] = {"user_id": f"user-{trial % USERS}", "query": trials[trial].question, "top_k": 10}
        api.recall(question)

    return _phase("recall", url, key, clients, requests, ask)


def _phase(verb: str, url: str, key: str, clients: int, requests: int, send: Callable[[Api, int], None]) -> Phase:
    def work(client: int) -> list[float]:
        took = []
        with Api(url, key) as api:
            for number in range(client, requests, clients):
                begin = time.perf_counter()
                send(api, number)
                took.append((time.perf_counter() - begin) * 1000)
        return took

    begin = time.perf_counter()
    with ThreadPoolExecutor(max_workers=clients) as pool:
        ms = [one for took in pool.map(work, range(clients)) for one in took]
    return Phase(verb=verb, clients=clients, seconds=time.perf_counter() - begin, ms=tuple(ms))
