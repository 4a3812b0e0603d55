"""`python -m memory_site.demo --url URL --keys-file FILE`: replay the samples, then ask about them."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx
from rich.console import Console

from memory_site.demo.ask import ask
from memory_site.demo.client import Api
from memory_site.demo.facts import TENANT, view_facts, write_facts
from memory_site.demo.failure import ApiFailed
from memory_site.demo.keys import read_keys
from memory_site.demo.readiness import wait_until_ready
from memory_site.demo.replay import replay
from memory_site.demo.samples import TENANTS, load_questions, load_sessions
from memory_site.demo.show import make_console, show, show_facts, show_replay

DEFAULT_URL = "http://127.0.0.1:8000"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo and return its exit code: 0, or 1 with one sentence on standard error."""
    options = _parser().parse_args(arguments)
    try:
        keys = read_keys(options.keys_file, TENANTS)
        url = options.url or keys.url or DEFAULT_URL
        wait_until_ready(url, within_s=options.wait)
        with ExitStack() as stack:
            apis = {slug: stack.enter_context(Api(url, key)) for slug, key in keys.by_tenant.items()}
            run(make_console(), apis, options.keys_file, within_s=options.wait)
    except ApiFailed as failure:
        Console(stderr=True, highlight=False).print(str(failure), markup=False, soft_wrap=True)
        return 1
    return 0


def run(console: Console, apis: Mapping[str, Api], keys_file: Path, *, within_s: float) -> None:
    """Replay the samples, wait until they are searchable, ask and show; then write a fact and show it."""
    for slug, api in apis.items():
        _check_key(slug, api, keys_file)
    sessions = load_sessions()
    replayed = replay(sessions, apis)
    show_replay(console, replayed, sessions=len(sessions))
    for api in apis.values():
        api.wait_until_searchable(within_s=within_s)
    for asked in ask(load_questions(), apis):
        show(console, asked)
    api = apis[TENANT]
    new = write_facts(api, replayed.turn_ids)
    api.wait_until_searchable(within_s=within_s)
    show_facts(console, view_facts(api), new=new)


def _check_key(slug: str, api: Api, keys_file: Path) -> None:
    try:
        found = api.tenant()
    except ApiFailed as failure:
        if failure.status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise ApiFailed(f"The key for {slug} in {keys_file} was refused by {api.url}.") from failure
        raise
    if found != slug:
        raise ApiFailed(f"The key for {slug} in {keys_file} belongs to the tenant {found}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m memory_site.demo", description=__doc__)
    parser.add_argument("--url", help="where Mneme answers (default: what the keys file says)")
    parser.add_argument(
        "--keys-file", type=Path, default=Path("var/local.json"), help="the tenants' keys (default: %(default)s)"
    )
    parser.add_argument(
        "--wait", type=float, default=120.0, metavar="SECONDS", help="patience for each wait (default: %(default)s)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
