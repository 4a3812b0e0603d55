"""`python -m benchmarks.crash_import --engine ENGINE --turns N --kills K`: kill -9 of anything during an import.

A stack of its own is started and removed. Several sessions are imported at once, with Idempotency-Keys and retries,
while web, workers, beat, sealer, Valkey, Postgres and Elasticsearch are killed at random and started again. In the
end every acknowledged turn must be archived once and in order, be recalled by the engine alone, nothing may wait, no
document may differ, and the audit chain must hold. --outage takes Elasticsearch away for so many seconds instead:
then no caller may see a 5xx.
"""

import argparse
import random
import sys
import threading
import time
from collections.abc import Sequence

import httpx

from benchmarks.crash_import.importer import Importer, Seen
from benchmarks.crash_import.killer import Killer
from benchmarks.crash_import.proof import faults, wait_for_sync
from benchmarks.place import ENGINES, throwaway_stack
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Stack
from memory_site.stack.supervisor import Supervisor

SEED = 20_260_301
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it and return the exit code: 0 when all holds, 1 with a sentence a fault, or 130."""
    options = _parser().parse_args(arguments)
    try:
        with throwaway_stack(options.engine) as stack:
            found = prove(stack, options)
    except (StackFailed, httpx.HTTPError) as failure:
        print(f"{type(failure).__name__}: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    for fault in found:
        print(f"FAULT: {fault}")
    print("all holds" if not found else f"{len(found)} faults")
    return 1 if found else 0


def prove(stack: Stack, options: argparse.Namespace) -> list[str]:
    """Import, kill, and return what does not hold."""
    key, seen, stop = stack.create_tenant("crash"), Seen(), threading.Event()
    each = options.turns // options.sessions
    importers = [Importer(stack.url, key, number, each, seen, stop) for number in range(options.sessions)]
    threads = [threading.Thread(target=importer.run) for importer in importers]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    found = []
    supervisor = Supervisor(stack.services.values())
    try:
        if options.outage:
            found += _outage(stack, key, seen, seconds=options.outage)
        else:
            _kill(stack, supervisor, seen, each * options.sessions, kills=options.kills, seed=options.seed)
        while any(thread.is_alive() for thread in threads):
            supervisor.check()
            time.sleep(0.2)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    answers = ", ".join(f"{code or 'no answer'}: {count}" for code, count in sorted(seen.statuses.items()))
    print(f"{seen.turns} turns acknowledged in {time.monotonic() - began:.0f} s; answers {answers}; "
          f"{seen.replayed} repeated by their Idempotency-Key", flush=True)  # fmt: skip
    print(f"the engine had caught up after {wait_for_sync(stack, key, supervisor.check):.0f} s", flush=True)
    if seen.turns != each * options.sessions:
        found.append(f"{seen.turns} of {each * options.sessions} turns were acknowledged")
    return [*found, *faults(stack, key, seen.acknowledged, recalls=options.recalls)]


def _kill(stack: Stack, supervisor: Supervisor, seen: Seen, turns: int, *, kills: int, seed: int) -> None:
    """Kill one service after the other, evenly over the import."""
    killer = Killer(stack=stack, random=random.Random(seed))  # noqa: S311
    for number, name in enumerate(killer.victims(kills)):
        while seen.turns < turns * (number + 1) / (kills + 2):
            supervisor.check()
            time.sleep(0.05)
        away_s = killer.kill(name)
        print(f"  after {seen.turns} turns {name} was killed, and away for {away_s:.1f} s", flush=True)
    print(f"killed: {', '.join(f'{name} {count}' for name, count in sorted(killer.killed.items()))}", flush=True)


def _outage(stack: Stack, key: str, seen: Seen, *, seconds: float) -> list[str]:
    """Take Elasticsearch away for a time, in which turns are written and questions asked; return what went wrong."""
    answers = {"recall": 0, "degraded": 0, "5xx": 0}
    headers = {"Authorization": f"Bearer {key}"}
    stack.kill("elasticsearch")
    end = time.monotonic() + seconds
    with httpx.Client(base_url=f"{stack.url}/api/v1/", headers=headers, timeout=60) as client:
        while time.monotonic() < end:
            answer = client.post("recall/", json={"user_id": "user-0", "query": "What is the newest code word?"})
            answers["recall"] += 1
            answers["5xx"] += answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR
            answers["degraded"] += answer.is_success and "search" in answer.json()["degraded"]
            time.sleep(1)
    stack.start("elasticsearch")
    print(f"Elasticsearch was away for {seconds:.0f} s: {answers}, {seen.turns} turns taken", flush=True)
    failed = answers["5xx"] + sum(count for code, count in seen.statuses.items() if code >= 500 or code == 0)
    return [f"{failed} requests failed while Elasticsearch was away"] if failed else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crash_import", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=5_000, help="turns to import (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=5, help="sessions at once (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=20, help="how often a service is killed (default: %(default)s)")
    parser.add_argument("--recalls", type=int, default=500, help="turns to ask for afterwards (default: %(default)s)")
    parser.add_argument("--outage", type=float, default=0, help="seconds without Elasticsearch, instead of kills")
    parser.add_argument("--seed", type=int, default=SEED, help="decides who is killed (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
