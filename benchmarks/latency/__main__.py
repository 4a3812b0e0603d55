"""`python -m benchmarks.latency --engine ENGINE --clients 1 8`: how long writing and asking take on one tenant.

A stack of its own is started and removed; every process of it runs, the sealer too. Each client is a thread with a
connection of its own and writes turns, then asks, one request after the other.
"""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.latency.measure import Phase, recall_phase, record_phase
from benchmarks.latency.report import sealed_after, table
from benchmarks.place import ENGINES, throwaway_stack
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search

SEARCHABLE_WITHIN_S = 1800.0
WARM_UP = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error."""
    options = _parser().parse_args(arguments)
    try:
        print(measure(options.engine, options.clients, requests=options.requests))
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def measure(engine: Search, clients: Sequence[int], *, requests: int) -> str:
    """Return the figures as text; requests: of each phase, shared among its clients.

    Raises ApiFailed or StackFailed, when the server or the stack cannot go on.
    """
    phases: list[Phase] = []
    with throwaway_stack(engine) as stack:
        key = stack.create_tenant("latency")
        record_phase(stack.url, key, clients=1, requests=WARM_UP)
        recall_phase(stack.url, key, clients=1, requests=WARM_UP)
        for count in clients:
            phases.append(record_phase(stack.url, key, clients=count, requests=requests))
            sealed_s = sealed_after(stack)
            with Api(stack.url, key) as api:
                api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
            phases.append(recall_phase(stack.url, key, clients=count, requests=requests))
            print(f"{count} clients: every event sealed {sealed_s:.1f} s after the last write", file=sys.stderr)
    return table(engine, phases)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8], help="at once (default: 1 8)")
    parser.add_argument("--requests", type=int, default=800, help="a phase (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
