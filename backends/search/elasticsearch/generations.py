"""Generations of an index: two at a time while one is rebuilt, each known by aliases of its own.

`mneme-KIND` is read, `mneme-KIND-write` is written; `-next` is built beside it, `-previous` is kept after it. Every
change goes to all that there are, so that the new one lacks nothing when it takes over, and the old one keeps nothing
of what is removed. All of it is in the cluster's state: whoever is killed half-way finds there how far he came.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from elasticsearch import Elasticsearch

from backends.errors import Rejected, Unavailable
from backends.search import names
from backends.search.changes import IndexDefinition

NOT_SET_UP = "Elasticsearch has no indexes yet; run setup_search"


def written_aliases(kind: str) -> tuple[str, str, str]:
    """Return the aliases that a change goes to, as far as they are there."""
    return names.write_alias(kind), names.next_alias(kind), names.previous_alias(kind)


def read_aliases(kinds: Iterable[str]) -> str:
    """Return all generations of kinds, as one name for requests that ignore what is not there."""
    return ",".join(alias for kind in kinds for alias in (names.read_alias(kind), *written_aliases(kind)[1:]))


def targets(client: Elasticsearch, kinds: Iterable[str]) -> dict[str, list[str]]:
    """Return the aliases to write a kind's changes to; asked before every write, since a rebuild may have begun.

    Whoever asked before a generation began has read his rows before as well: the backfill reads them later.
    Raises Unavailable, when a kind has no index yet: a write would make one under its alias's name.
    """
    kinds = list(kinds)
    there = _indexes_by_alias(client, *kinds)
    found = {kind: [alias for alias in written_aliases(kind) if alias in there] for kind in kinds}
    if any(names.write_alias(kind) not in aliases for kind, aliases in found.items()):
        raise Unavailable(NOT_SET_UP)
    return found


def begin(client: Elasticsearch, definition: IndexDefinition) -> bool:
    """Create the next generation of a kind, unless one is begun; return whether it is new.

    Raises Rejected, when an old one still stands.
    """
    kind = definition.kind
    there = _indexes_by_alias(client, kind)
    if names.next_alias(kind) in there:
        return False
    if names.read_alias(kind) not in there:
        raise Unavailable(NOT_SET_UP)
    if names.previous_alias(kind) in there:
        raise Rejected(f"{kind}: the generation before the present one still stands; drop it first (--drop-old)")
    made = client.indices.create(
        index=names.index_name(kind, _newest(client, kind) + 1),
        mappings=dict(definition.mapping),
        settings=dict(definition.settings),
        aliases={names.next_alias(kind): {}},
        wait_for_active_shards="1",
    )
    if not (made["acknowledged"] and made["shards_acknowledged"]):
        raise Unavailable(f"{kind}: not every node has the new index yet; run this again")
    return True


def swap(client: Elasticsearch, kind: str) -> None:
    """Move the aliases in one step, once all that was written is visible there."""
    there = _indexes_by_alias(client, kind)
    if names.next_alias(kind) not in there:
        return
    old, new = there[names.read_alias(kind)], there[names.next_alias(kind)]
    client.indices.refresh(index=new)
    client.indices.update_aliases(
        actions=[
            _remove(old, names.read_alias(kind)),
            _remove(old, names.write_alias(kind)),
            _remove(new, names.next_alias(kind)),
            {"add": {"index": new, "alias": names.read_alias(kind)}},
            {"add": {"index": new, "alias": names.write_alias(kind), "is_write_index": True}},
            {"add": {"index": old, "alias": names.previous_alias(kind)}},
        ]
    )


def drop_old(client: Elasticsearch, kind: str) -> bool:
    """Delete the index that was searched before, and say whether there was one."""
    old = _indexes_by_alias(client, kind).get(names.previous_alias(kind))
    if old is None:
        return False
    client.indices.delete(index=old)
    return True


def _remove(index: str, alias: str) -> Mapping[str, Any]:
    return {"remove": {"index": index, "alias": alias, "must_exist": True}}


def _indexes_by_alias(client: Elasticsearch, *kinds: str) -> dict[str, str]:
    """Return the index behind each alias of kinds. Raises Rejected, when one stands for several."""
    known = {alias for kind in kinds for alias in (names.read_alias(kind), *written_aliases(kind))}
    found: dict[str, str] = {}
    for index, held in client.indices.get_alias(name="mneme-*").items():
        for alias in known.intersection(held["aliases"]):
            if alias in found:
                raise Rejected(f"the alias {alias} stands for two indexes; take it from one of them")
            found[alias] = index
    return found


def _newest(client: Elasticsearch, kind: str) -> int:
    """Return the highest generation of a kind's indexes, with or without an alias."""
    pattern = re.compile(rf"{re.escape(names.read_alias(kind))}-v([0-9]+)")
    found: Sequence[str] = list(client.indices.get(index=f"{names.read_alias(kind)}-v*"))
    return max((int(match[1]) for index in found if (match := pattern.fullmatch(index))), default=0)
