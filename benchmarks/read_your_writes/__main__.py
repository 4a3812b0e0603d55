"""`python -m benchmarks.read_your_writes --engine ENGINE --trials N`: write a turn, ask for it, with no worker.

A stack of its own is started and removed. The worker indexes older turns first and is then stopped, so that
whatever is found of the new turns comes from the record itself. In the end it runs again, and the engine alone
is asked.
"""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.place import ENGINES, throwaway_stack
from benchmarks.read_your_writes.measure import Outcome, ask_again, record_older, write_and_ask
from benchmarks.read_your_writes.report import last_line, misses, table
from benchmarks.read_your_writes.trials import make_trials
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search, Stack

OLDER_TURNS = 500
WARM_UP = 10
"""Trials that are not counted: the first ones load the embedding model into every web process."""
SEARCHABLE_WITHIN_S = 1800.0
SEED = 20_260_301
INTERRUPTED = 130
"""The exit code that shells give a program ended by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error, or 130."""
    options = _parser().parse_args(arguments)
    try:
        outcomes = measure(options.engine, options.trials, seed=options.seed)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    print(table(outcomes))
    if found := misses(outcomes):
        print(found)
    print(last_line(outcomes))
    return 0


def measure(engine: Search, trials: int, *, seed: int) -> list[Outcome]:
    """Return every trial's outcome on a throwaway stack.

    Raises ApiFailed or StackFailed, when the server or the stack cannot go on.
    """
    invented = make_trials(OLDER_TURNS + WARM_UP + trials, seed=seed)
    older, warm_up, counted = (
        invented[:OLDER_TURNS],
        invented[OLDER_TURNS : OLDER_TURNS + WARM_UP],
        invented[OLDER_TURNS + WARM_UP :],
    )
    with throwaway_stack(engine) as stack, Api(stack.url, stack.create_tenant("read-your-writes")) as api:
        record_older(api, older)
        api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
        _stop_background(stack)
        write_and_ask(api, warm_up, prefix="warm-up")
        outcomes = write_and_ask(api, counted, prefix="new")
        _check_nothing_indexed(api, written=len(warm_up) + len(counted))
        stack.start("worker")
        stack.start("embedding")
        stack.start("beat")
        api.wait_until_searchable(within_s=SEARCHABLE_WITHIN_S)
        return ask_again(api, outcomes)


def _stop_background(stack: Stack) -> None:
    stack.stop("beat")
    stack.stop("worker")
    stack.stop("embedding")


def _check_nothing_indexed(api: Api, *, written: int) -> None:
    """Raise ApiFailed, if something indexed turns although the worker was stopped: the counts would mean little."""
    pending = api.pending()
    if pending < written:
        raise ApiFailed(f"Only {pending} of {written} turns wait to be indexed, although the worker was stopped.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.read_your_writes", description=__doc__)
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument("--trials", type=int, default=1000, help="turns to write (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="decides the words (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
