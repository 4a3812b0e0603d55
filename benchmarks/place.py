"""Where a benchmark runs: a stack of its own that leaves nothing behind, or a server that is there."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from memory_site.demo.keys import read_keys
from memory_site.demo.readiness import wait_until_ready
from memory_site.stack.run import listen_to_signals
from memory_site.stack.stack import Search, Stack

ENGINES: tuple[Search, ...] = get_args(Search)
READY_WITHIN_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A server's URL, and a key for each tenant of the benchmark."""

    url: str
    keys: Mapping[str, str]


@contextmanager
def throwaway_stack(engine: Search, *, extra: Mapping[str, str] | None = None) -> Iterator[Stack]:
    """Yield a running stack in a temporary folder, on ports by chance; all of it is gone afterwards.

    extra: environment variables of its processes.

    Every signal that ends a program raises KeyboardInterrupt from then on, since otherwise the folder would stay.
    """
    listen_to_signals(None)
    with (
        tempfile.TemporaryDirectory(prefix="mneme-benchmark-", ignore_cleanup_errors=True) as folder,
        Stack(Path(folder), search=engine, extra=extra) as stack,
    ):
        wait_until_ready(stack.url, within_s=READY_WITHIN_S)
        yield stack


@contextmanager
def own_place(engine: Search, tenants: Sequence[str], *, abilities: Sequence[str] = ()) -> Iterator[Place]:
    """Yield a throwaway stack with new tenants; abilities: of their keys, if others than agents' are needed."""
    asked = [part for ability in abilities for part in ("--ability", ability)]
    with throwaway_stack(engine) as stack:
        yield Place(url=stack.url, keys={slug: stack.create_tenant(slug, *asked) for slug in tenants})


@contextmanager
def given_place(url: str, keys_file: Path, tenants: Sequence[str]) -> Iterator[Place]:
    """Yield a server that is there, with the keys of tenants that somebody made for the benchmark."""
    wait_until_ready(url, within_s=READY_WITHIN_S)
    yield Place(url=url, keys=read_keys(keys_file, tenants).by_tenant)
