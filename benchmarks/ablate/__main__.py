"""`python -m benchmarks.ablate --data FILE`: recall quality as it is, then without each leg, weight and profile.

The conversations are told once, to a stack of its own; then every tenant's policy is changed by the API for each
variant, and all questions are asked. --only names some variants, by parts of their names.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.ablate.variants import ALWAYS, Variant, variants
from benchmarks.place import ENGINES, own_place
from benchmarks.recall_quality.__main__ import LOADERS
from benchmarks.recall_quality.asking import ask_all
from benchmarks.recall_quality.conversations import DataSet, tenants_of
from benchmarks.recall_quality.ingest import ingest
from benchmarks.recall_quality.metrics import quality
from memory_site.demo.client import Api
from memory_site.demo.failure import ApiFailed
from memory_site.stack.errors import StackFailed
from memory_site.stack.stack import Search

ABILITIES = ("turns:write", "memories:read", "memories:write", "provenance:read", "keys:manage")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 0, or 1 with one sentence on standard error."""
    options = _parser().parse_args(arguments)
    chosen = {
        name: changes
        for name, changes in variants().items()
        if not options.only or name == "whole" or any(part in name for part in options.only)
    }
    try:
        ablate(LOADERS[options.dataset](options.data), chosen, engine=options.engine)
    except (ApiFailed, StackFailed) as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def ablate(data: DataSet, chosen: Mapping[str, Variant], *, engine: Search) -> None:
    """Tell once, and print a line a variant as it ends. Raises ApiFailed or StackFailed."""
    print("| | n | R@5 | R@10 | MRR | R@10 less the whole's |", "| --- | --- | --- | --- | --- | --- |", sep="\n")
    whole = 0.0
    with ExitStack() as open_until_done:
        place = open_until_done.enter_context(own_place(engine, tenants_of(data.conversations), abilities=ABILITIES))
        apis = {slug: open_until_done.enter_context(Api(place.url, key)) for slug, key in place.keys.items()}
        ingested = ingest(data.conversations, apis)
        changed: Variant = {}
        for name, changes in chosen.items():
            for api in apis.values():
                api.change_policy({**ALWAYS, **changes}, reset=sorted(changed.keys() - changes.keys()))
            changed = changes
            found = quality(
                one.ranks
                for conversation in data.conversations
                for one in ask_all(conversation, apis[conversation.tenant], ingested.turn_ids[conversation.id])
            )
            whole = found.r_at_10 if name == "whole" else whole
            print(
                f"| {name} | {found.n} | {found.r_at_5:.3f} | {found.r_at_10:.3f} | {found.mrr:.3f}"
                f" | {found.r_at_10 - whole:+.3f} |",
                flush=True,
            )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablate", description=__doc__)
    parser.add_argument("--dataset", choices=tuple(LOADERS), default="locomo", help="the layout of the file")
    parser.add_argument("--data", type=Path, required=True, help="the file, in the set's own layout")
    parser.add_argument("--engine", choices=ENGINES, default="postgres", help="the engine (default: %(default)s)")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="PART", help="variants whose names hold one of these"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
