"""`python -m benchmarks.latency --engine ENGINE --clients 1 8`: how long writing and asking take.

A stack of its own is started and removed for each size; every process of it runs, the sealer too. Each client is a
thread with connections of its own and writes turns, then asks, one request after the other. Questions are embedded
for real. What a size stores beforehand is made of halves of real texts, with vectors mixed from real ones.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.latency.bare import bare_phase
from benchmarks.latency.corpus import EMBEDDED, read_corpus
from benchmarks.latency.measure import SEED, Phase, asked_back, questions, recall_phase, record_phase, writes
from benchmarks.latency.report import ratio, sealed_after, table
from benchmarks.latency.sizes import Size, fill, sizes
from benchmarks.place import ENGINES, throwaway_stack
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search

SEARCHABLE_WITHIN_S = 1800.0
WARM_UP = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error."""
    options = _parser().parse_args(arguments)
    wanted = sizes(
        tenants=options.tenants,
        memories=options.memories,
        one_tenant=options.one_tenant,
        one_subject=options.one_subject,
    )
    try:
        if not wanted:
            print(measure_empty(options.engine, options.clients, requests=options.requests))
        for size in wanted:
            print(measure(size, options), flush=True)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def measure_empty(engine: Search, clients: Sequence[int], *, requests: int) -> str:
    """Return the figures of a stack that holds nothing beforehand, as text; requests: of each phase.

    Raises ApiFailed or StackFailed, when the server or the stack cannot go on.
    """
    phases: list[Phase] = []
    load = _load()
    with throwaway_stack(engine) as stack:
        key = stack.create_tenant("latency")
        warming = writes([key], count=WARM_UP)
        record_phase(stack, warming, clients=1)
        recall_phase(stack, asked_back(warming), clients=1)
        for count in clients:
            written = writes([key], count=requests, seed=SEED + count)
            phases.append(record_phase(stack, written, clients=count))
            sealed_s = sealed_after(stack)
            with Api(stack.url, key) as api:
                api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
            phases.append(recall_phase(stack, asked_back(written, seed=SEED + count), clients=count))
            print(f"{count} clients: every event sealed {sealed_s:.1f} s after the last write", file=sys.stderr)
    return table(f"{engine}, one tenant, every process running; {load}", phases)


def measure(size: Size, options: argparse.Namespace) -> str:
    """Return the figures of a filled stack as text.

    Recalls at one client go in turn with bare queries of the engine, recalls before writes, so that nothing of what
    is compared is measured while writes are worked on. Raises ApiFailed or StackFailed.
    """
    corpus = read_corpus(options.data, seed=SEED)
    phases, ratios = [], []
    load = _load()
    with throwaway_stack(options.engine) as stack:
        tenants = fill(stack, size, data=options.data, seed=SEED)
        keys = list(tenants)
        users = [True, False] if size.by_tenant else [True]
        for by_user in users:
            verb = "recall, of a user" if by_user else "recall, of a tenant"
            asked = questions(keys, corpus.questions, count=options.requests, users=size.users, by_user=by_user)
            recall_phase(stack, asked[:WARM_UP], clients=2)
            for count in options.clients:
                phases.append(recall_phase(stack, asked, clients=count, verb=verb))
                if count == 1:
                    phases.append(bare_phase(stack, tenants, asked))
                    ratios.append(ratio(*phases[-2:]))
        for count in options.clients:
            written = writes(keys, count=options.requests, users=size.users, seed=SEED + count)
            record_phase(stack, written[:WARM_UP], clients=2)
            phases.append(record_phase(stack, written[WARM_UP:], clients=count))
            for key in {request.key for request in written}:
                with Api(stack.url, key) as api:
                    api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
    title = (
        f"{options.engine}, {size.name}, halves of texts from {corpus.name}, vectors mixed from {EMBEDDED} real; "
        f"{load}"
    )
    return "\n".join([table(title, phases), *ratios])


def _load() -> str:
    return f"load of the machine before it {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8], help="at once (default: 1 8)")
    parser.add_argument("--requests", type=int, default=400, help="a phase (default: %(default)s)")
    parser.add_argument("--tenants", type=int, default=100, help="that --memories are spread over (default: 100)")
    parser.add_argument("--memories", type=int, default=0, metavar="N", help="stored beforehand over all tenants")
    parser.add_argument("--one-tenant", type=int, default=0, metavar="N", help="stored in one tenant of 100 users")
    parser.add_argument("--one-subject", type=int, default=0, metavar="N", help="stored for one user")
    parser.add_argument("--data", type=Path, help="texts and questions, in LoCoMo's layout (default: invented ones)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
