"""`python -m benchmarks.recall_quality --dataset locomo --data FILE`: recall quality through HTTP.

Without --base-url a stack of its own is started and removed. With it, --keys names a file of a tenant and a key for
each conversation, made for this purpose: {"tenants": {"<conversation>": {"api_key": "<key>"}}}.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.place import ENGINES, given_place, own_place
from benchmarks.recall_quality.asking import ask_all, warm_up
from benchmarks.recall_quality.ingest import ingest
from benchmarks.recall_quality.locomo import DataSet, load_locomo
from benchmarks.recall_quality.report import Run, last_line, notes, table, write
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search

INTERRUPTED = 130
"""The exit code that shells give a program ended by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error, or 130."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.base_url is None) != (options.keys is None):
        parser.error("--base-url and --keys go together")
    data = load_locomo(options.data)
    try:
        run = measure(data, options.engine, options.base_url, options.keys)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    print(table(run))
    print(notes(run))
    if options.out is not None:
        write(run, options.out)
    print(last_line(run))
    return 0


def measure(data: DataSet, engine: Search | None, base_url: str | None, keys_file: Path | None) -> Run:
    """Write every conversation, wait until it is searchable, ask every question.

    Raises ApiFailed or StackFailed, when the server or the stack cannot go on.
    """
    tenants = [conversation.id for conversation in data.conversations]
    with ExitStack() as open_until_done:
        if base_url is not None and keys_file is not None:
            place = open_until_done.enter_context(given_place(base_url, keys_file, tenants))
        else:
            place = open_until_done.enter_context(own_place(engine or ENGINES[0], tenants))
        apis = {slug: open_until_done.enter_context(Api(place.url, place.keys[slug])) for slug in tenants}
        ingested = ingest(data.conversations, apis)
        warm_up(data.conversations[0], apis[tenants[0]])
        asked = [
            one
            for conversation in data.conversations
            for one in ask_all(conversation, apis[conversation.id], ingested.turn_ids[conversation.id])
        ]
    name = engine or ("unknown" if base_url else ENGINES[0])
    return Run(engine=name, data=data, ingested=ingested, asked=asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall_quality", description=__doc__)
    parser.add_argument("--dataset", choices=("locomo",), default="locomo", help="the layout of the file")
    parser.add_argument("--data", type=Path, required=True, help="the file, in the set's own layout")
    parser.add_argument("--base-url", help="a server that is there; without it one is started")
    parser.add_argument("--keys", type=Path, help="the keys file that goes with --base-url")
    parser.add_argument(
        "--engine", choices=ENGINES, help="the engine of the own stack (default: postgres), or of the server given"
    )
    parser.add_argument("--out", type=Path, help="write every question's outcome here, as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
