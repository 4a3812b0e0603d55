"""One phase: so many clients, each with a thread and connections, sending one request after the other."""

import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from benchmarks.latency.cpu import cpu_seconds, used_since
from benchmarks.read_your_writes.trials import make_trials
from memory_site.demo.client import Api
from memory_site.stack.stack import Stack

SEED = 20_261_130
USERS = 20

Took = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request that will be sent, with the key that it is sent with."""

    key: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What was measured. seconds: of the whole phase; ms: of each request, as its client saw it.

    steps: the server's own milliseconds by step, of each request; empty where it does not say.
    cpu_ms: processor time a request by part of the stack.
    """

    verb: str
    clients: int
    seconds: float
    ms: tuple[float, ...]
    steps: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    cpu_ms: Mapping[str, float] = field(default_factory=dict)


def writes(keys: Sequence[str], *, count: int, users: int = USERS, seed: int = SEED) -> list[Request]:
    """Return short and long turns, English and Chinese, of some users of each tenant in turn."""
    return [
        Request(
            key=keys[number % len(keys)],
            body={
                "user_id": f"user-{number % users}",
                "session_id": f"new-{number % 97}",
                "content": trial.statement,
            },
        )
        for number, trial in enumerate(make_trials(count, seed=seed))
    ]


def asked_back(written: Sequence[Request], *, seed: int = SEED) -> list[Request]:
    """Return questions for what was written with the same seed, in another order."""
    trials = make_trials(len(written), seed=seed)
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    order = [chance.randrange(len(written)) for _ in written]
    return [
        Request(
            key=written[number].key,
            body={"user_id": written[number].body["user_id"], "query": trials[number].question, "top_k": 10},
        )
        for number in order
    ]


def questions(
    keys: Sequence[str], texts: Sequence[str], *, count: int, users: int, by_user: bool, seed: int = SEED
) -> list[Request]:
    """Return questions, each of a tenant by chance, of one of its users or of the whole tenant."""
    chance = random.Random(seed)  # noqa: S311
    found = []
    for _ in range(count):
        body: dict[str, Any] = {"query": chance.choice(texts), "top_k": 10}
        if by_user:
            body["user_id"] = f"user-{chance.randrange(users)}"
        found.append(Request(key=chance.choice(keys), body=body))
    return found


def record_phase(stack: Stack, requests: Sequence[Request], *, clients: int) -> Phase:
    """Write turns."""

    def write(api: Api, request: Request) -> Took:
        api.record(request.body)
        return {}

    return _phase("record", stack, requests, clients, write)


def recall_phase(stack: Stack, requests: Sequence[Request], *, clients: int, verb: str = "recall") -> Phase:
    """Ask."""

    def ask(api: Api, request: Request) -> Took:
        return api.recall(request.body).took_ms

    return _phase(verb, stack, requests, clients, ask)


def _phase(
    verb: str, stack: Stack, requests: Sequence[Request], clients: int, send: Callable[[Api, Request], Took]
) -> Phase:
    def work(client: int) -> list[tuple[float, Took]]:
        took = []
        apis: dict[str, Api] = {}
        with ExitStack() as open_until_done:
            for request in requests[client::clients]:
                if request.key not in apis:
                    apis[request.key] = open_until_done.enter_context(Api(stack.url, request.key))
                    apis[request.key].pending()  # connects; what is measured is a client that stays
                begin = time.perf_counter()
                steps = send(apis[request.key], request)
                took.append(((time.perf_counter() - begin) * 1000, steps))
        return took

    before = cpu_seconds(stack)
    begin = time.perf_counter()
    with ThreadPoolExecutor(max_workers=clients) as pool:
        both = [one for took in pool.map(work, range(clients)) for one in took]
    seconds, cpu = time.perf_counter() - begin, used_since(stack, before)
    by_step: defaultdict[str, list[float]] = defaultdict(list)
    for _, steps in both:
        for step, ms in steps.items():
            by_step[step].append(ms)
    return Phase(
        verb=verb,
        clients=clients,
        seconds=seconds,
        ms=tuple(ms for ms, _ in both),
        steps={step: tuple(ms) for step, ms in by_step.items()},
        cpu_ms={name: used * 1000 / max(1, len(both)) for name, used in cpu.items()},
    )
