"""Drift: what the engine holds against what the record says, found, told and mended."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import F

from backends.search import names
from backends.search.base import SearchEngine
from backends.search.changes import State
from memories.services.compare import Difference, differences, removals, slices
from memories.services.searched import SEARCHED, searchable
from memories.services.wake import wake
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import EventData, note_event
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

NAMED_MAX = 100
"""Ids that an event names at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Where a tenant's documents of a kind differ; extra ones, which the engine has alone, are an alarm."""

    tenant_id: UUID
    kind: str
    found: tuple[Difference, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many are missing, older, newer and extra in the engine."""
        counted = Counter(one.sort for one in self.found)
        return {sort: counted[sort] for sort in ("missing", "older", "newer", "extra")}


def find_drift(tenant_id: UUID, *, engine: SearchEngine, now: datetime) -> list[Drift]:
    """Compare a tenant's documents of all kinds, and note what differs in the event log and the log.

    Writes may go on: what the outbox names, dead letters included, is no drift.
    """
    drifts = []
    for kind in names.KINDS:
        found = differences(tenant_id, kind, engine=engine)
        if found:
            drift = Drift(tenant_id=tenant_id, kind=kind, found=tuple(found))
            _tell(drift, now=now)
            drifts.append(drift)
    return drifts


def mend_drift(drift: Drift, *, engine: SearchEngine, now: datetime) -> int:
    """Mend what differs, and return how many documents that were.

    What is missing or older in the engine, or newer than the record, gets a new version, above the engine's, and so
    goes through the outbox; what changed meanwhile is left to its own entry. What is extra is removed.
    """
    if any(one.sort == "newer" for one in drift.found):
        with open_operator():
            raise_versions(max(one.held or 0 for one in drift.found))
    mended = 0
    for part in slices(drift.found):
        mended += _renew(drift, part) + _remove(drift, part, engine=engine)
    with open_operator():
        data: EventData = {"memory_type": drift.kind, "documents": mended}
        note_event(system_scope(drift.tenant_id), "drift.mended", data=data, now=now)
    wake("memories.sync")
    return mended


def raise_versions(above: int) -> None:
    """Let the next version be above one that an engine holds; an operator's scope is open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memories_raise_version(%s)", [above])


def _renew(drift: Drift, part: Sequence[Difference]) -> int:
    """Give rows that the record has a new version, unless they changed meanwhile; return how many."""
    rows = SEARCHED[drift.kind].rows._default_manager
    with open_operator():
        return sum(
            rows.filter(tenant_id=drift.tenant_id, id=one.id, doc_version=one.recorded).update(
                doc_version=F("doc_version") + 1
            )
            for one in part
            if one.recorded is not None
        )


def _remove(drift: Drift, part: Sequence[Difference], *, engine: SearchEngine) -> int:
    """Remove documents that the record does not know, or does not want searched; looked up once more right before."""
    rows = SEARCHED[drift.kind].rows._default_manager
    extra = [one.id for one in part if one.sort == "extra"]
    with open_operator():
        back = set(searchable(drift.kind, rows.filter(id__in=extra)).values_list("id", flat=True))
    changes = removals(drift.tenant_id, drift.kind, [one for one in part if one.id not in back])
    return sum(outcome.state is State.APPLIED for outcome in engine.apply(changes))


def _tell(drift: Drift, *, now: datetime) -> None:
    counts = drift.counts
    said = ", ".join(f"{count} {sort}" for sort, count in counts.items() if count)
    level = logging.ERROR if counts["extra"] or counts["newer"] else logging.WARNING
    log.log(level, "drift: %s of tenant %s: %s", drift.kind, drift.tenant_id, said)
    with open_operator():
        ids = [one.id for one in drift.found[:NAMED_MAX]]
        data: EventData = {"memory_type": drift.kind, **counts}
        note_event(system_scope(drift.tenant_id), "drift.found", object_ids=ids, data=data, now=now)
