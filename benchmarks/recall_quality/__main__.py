"""`python -m benchmarks.recall_quality --dataset DATASET --data FILE`: recall quality through HTTP.

Without --base-url a stack of its own is started and removed. With it, --keys names a file of a tenant and a key for
each conversation, made for this purpose: {"tenants": {"<conversation>": {"api_key": "<key>"}}}.
--isolation tells all conversations to one tenant instead, and asks each question as everybody else.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.ablate.variants import Variant, read_weights
from benchmarks.lifecycle import report as lifecycle_report
from benchmarks.lifecycle import run as lifecycle
from benchmarks.place import ENGINES, Place, given_place, own_place
from benchmarks.recall_quality.asking import ask_all, warm_up
from benchmarks.recall_quality.beam import load_beam
from benchmarks.recall_quality.conversations import DataSet, tenants_of
from benchmarks.recall_quality.ingest import ingest
from benchmarks.recall_quality.isolation import NEIGHBOUR, TENANT, isolate, isolation_line
from benchmarks.recall_quality.jsonl import load_jsonl
from benchmarks.recall_quality.locomo import load_locomo
from benchmarks.recall_quality.report import Run, last_line, notes, table, write
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed

LOADERS: Mapping[str, Callable[[Path], DataSet]] = {"locomo": load_locomo, "beam": load_beam, "jsonl": load_jsonl}
AGENT = ("turns:write", "memories:read", "memories:write", "provenance:read")
LIFECYCLE = "lifecycle"
"""The set of our own; it needs no file."""
INTERRUPTED = 130
"""The exit code that shells give a program ended by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error, or 130.

    1 also when something stands in an answer that must not.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.base_url is None) != (options.keys is None):
        parser.error("--base-url and --keys go together")
    if options.dataset != LIFECYCLE and options.data is None:
        parser.error(f"--data: names the file of {options.dataset}")
    if options.dataset == LIFECYCLE and options.isolation:
        parser.error("--isolation: lifecycle counts foreign hits by itself")
    try:
        options.weights = read_weights(options.weights)
    except ValueError as error:
        parser.error(str(error))
    try:
        if options.dataset == LIFECYCLE:
            return _lifecycle(options)
        data = LOADERS[options.dataset](options.data)
        return _isolation(data, options) if options.isolation else _quality(data, options)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def measure(data: DataSet, place: Place, *, engine: str) -> Run:
    """Write every conversation, wait until it is searchable, ask every question. Raises ApiFailed."""
    with ExitStack() as open_until_done:
        apis = {
            slug: open_until_done.enter_context(Api(place.url, place.keys[slug]))
            for slug in tenants_of(data.conversations)
        }
        ingested = ingest(data.conversations, apis)
        warm_up(data.conversations[0], apis[data.conversations[0].tenant])
        asked = [
            one
            for conversation in data.conversations
            for one in ask_all(conversation, apis[conversation.tenant], ingested.turn_ids[conversation.id])
        ]
    return Run(engine=engine, data=data, ingested=ingested, asked=asked)


def _quality(data: DataSet, options: argparse.Namespace) -> int:
    with _place(options, tenants_of(data.conversations)) as place:
        run = measure(data, place, engine=_engine(options))
    print(table(run))
    print(notes(run))
    if options.out is not None:
        write(run, options.out)
    print(last_line(run))
    return 0


def _isolation(data: DataSet, options: argparse.Namespace) -> int:
    with _place(options, [TENANT, NEIGHBOUR]) as place:
        found = isolate(place, data.conversations)
    for hit in found.foreign:
        print(f"FOREIGN {hit}")
    print(isolation_line(found))
    return 1 if found.foreign else 0


def _lifecycle(options: argparse.Namespace) -> int:
    with _place(options, [lifecycle.TENANT], abilities=lifecycle.ABILITIES) as place:
        answered = lifecycle.run(place)
    for text in (lifecycle_report.misses(answered), lifecycle_report.table(answered)):
        print(text)
    print(lifecycle_report.counts(answered))
    print(lifecycle_report.last_line(answered))
    return 1 if any(one.wrong for one in answered) else 0


@contextmanager
def _place(options: argparse.Namespace, tenants: Sequence[str], *, abilities: Sequence[str] = ()) -> Iterator[Place]:
    """Yield the server that was named, or one of our own; the tenants' policy says what --weights says."""
    if options.weights:
        abilities = (*(abilities or AGENT), "keys:manage")
    if options.base_url is not None:
        with given_place(options.base_url, options.keys, tenants) as place:
            yield _weighted(place, options.weights)
    else:
        with own_place(options.engine or ENGINES[0], tenants, abilities=abilities) as place:
            yield _weighted(place, options.weights)


def _weighted(place: Place, weights: Variant) -> Place:
    for key in place.keys.values() if weights else ():
        with Api(place.url, key) as api:
            api.change_policy(weights)
    return place


def _engine(options: argparse.Namespace) -> str:
    return options.engine or ("unknown" if options.base_url else ENGINES[0])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall_quality", description=__doc__)
    parser.add_argument(
        "--dataset", choices=(*LOADERS, LIFECYCLE), default="locomo", help="the layout of the file, or our own set"
    )
    parser.add_argument("--data", type=Path, help="the file, in the set's own layout; lifecycle has its own")
    parser.add_argument(
        "--weights",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="keys of the tenants' policy, as general.dense=0",
    )
    parser.add_argument("--isolation", action="store_true", help="ask each question as everybody else")
    parser.add_argument("--base-url", help="a server that is there; without it one is started")
    parser.add_argument("--keys", type=Path, help="the keys file that goes with --base-url")
    parser.add_argument(
        "--engine", choices=ENGINES, help="the engine of the own stack (default: postgres), or of the server given"
    )
    parser.add_argument("--out", type=Path, help="write every question's outcome here, as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
