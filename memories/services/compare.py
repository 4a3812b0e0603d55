"""Compare: where an engine holds something else than the record says, of one tenant and kind.

First by day, count and hash; then by id where these differ; then each id twice more, as both stores stand now. What
the outbox names is on its way and no difference.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from backends.search.base import SearchEngine
from backends.search.changes import Change
from backends.search.digests import Held, digests, of_days
from memories.models import OutboxEntry
from memories.services.searched import SEARCHED, searchable
from tenants.models import Tenant
from tenants.services.open_scope import open_operator

SLICE = 500
"""Ids looked up, and documents mended, at a time."""
PAGE = 10_000
"""Rows of the record read at a time: no tenant is held in memory, or in one transaction, as a whole."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One document. recorded, held: its version by the record and in the engine; None where it is not."""

    id: UUID
    recorded: int | None
    held: int | None

    @property
    def sort(self) -> str:
        """Return missing, older or newer (in the engine), or extra (in the engine alone)."""
        if self.recorded is None:
            return "extra"
        if self.held is None:
            return "missing"
        return "older" if self.held < self.recorded else "newer"


def tenants_of(kinds: Iterable[str], *, engine: SearchEngine) -> list[UUID]:
    """Return the tenants of the record, and those that only the engine still has documents of; in order."""
    with open_operator():
        known = set(Tenant.objects.values_list("id", flat=True))
    return sorted(known.union(*(engine.tenants(kind) for kind in kinds)))


def differences(tenant_id: UUID, kind: str, *, engine: SearchEngine, upcoming: bool = False) -> list[Difference]:
    """Return the differences that stay, in the order of ids; writes may go on meanwhile.

    upcoming: in the generation that is being built. Raises the engine's Unavailable, Rejected or Refused.
    """
    recorded = digests(_recorded(tenant_id, kind))
    held = digests(engine.scan(tenant_id, kind, upcoming=upcoming))
    days = {day for day in recorded.keys() | held.keys() if recorded.get(day) != held.get(day)}
    if not days:
        return []
    ours = set(of_days(_recorded(tenant_id, kind), days))
    theirs = set(of_days(engine.scan(tenant_id, kind, upcoming=upcoming), days))
    suspects = {object_id for object_id, _ in ours ^ theirs}
    first = _standing(tenant_id, kind, suspects, engine, upcoming=upcoming)
    again = _standing(tenant_id, kind, [one.id for one in first], engine, upcoming=upcoming)
    return sorted(set(first) & set(again), key=lambda one: one.id)


def _recorded(tenant_id: UUID, kind: str) -> Iterator[Held]:
    rows = searchable(kind, SEARCHED[kind].rows._default_manager.filter(tenant_id=tenant_id)).order_by("id")
    further = rows
    while True:
        with open_operator():
            page = list(further.values_list("id", "doc_version")[:PAGE])
        yield from page
        if len(page) < PAGE:
            return
        further = rows.filter(id__gt=page[-1][0])


def _standing(
    tenant_id: UUID, kind: str, ids: Collection[UUID], engine: SearchEngine, *, upcoming: bool
) -> list[Difference]:
    """Return the differences of some ids as both stores stand now.

    The record first, and the outbox after it: so what is written meanwhile looks pending, and never lost.
    """
    found = []
    for part in slices(sorted(ids)):
        with open_operator():
            rows = searchable(kind, SEARCHED[kind].rows._default_manager.filter(tenant_id=tenant_id, id__in=part))
            recorded = dict(rows.values_list("id", "doc_version"))
            entries = OutboxEntry.objects.filter(tenant_id=tenant_id, kind=kind, object_id__in=part)
            pending = set(entries.values_list("object_id", flat=True))
        held = engine.versions(tenant_id, kind, part, upcoming=upcoming)
        found += [
            Difference(id=object_id, recorded=recorded.get(object_id), held=held.get(object_id))
            for object_id in part
            if object_id not in pending and recorded.get(object_id) != held.get(object_id)
        ]
    return found


def removals(tenant_id: UUID, kind: str, found: Iterable[Difference]) -> list[Change]:
    """Return the changes that take away what the engine has alone: one version above what it holds."""
    return [
        Change(tenant_id=tenant_id, kind=kind, id=one.id, version=one.held + 1, body=None)
        for one in found
        if one.recorded is None and one.held is not None
    ]


def slices(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Return what is looked up or mended at a time."""
    return (items[start : start + SLICE] for start in range(0, len(items), SLICE))
