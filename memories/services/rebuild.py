"""Rebuild: a kind's index made anew beside the one that is searched, while writes and searches go on.

From begin on, sync writes to both generations. The backfill reads the record by ranges of ids, not the outbox;
external versions let what sync wrote meanwhile win. Searches move over when both have been compared.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from backends.errors import Unavailable
from backends.search.base import SearchEngine
from backends.search.changes import Change, Outcome, State
from memories.documents.registry import UNMAKEABLE, body_of, definition
from memories.models import IndexRebuild
from memories.models.index_rebuild import State as Step
from memories.services.compare import SLICE, Difference, differences, removals, slices
from memories.services.searched import SEARCHED, searchable, with_vectors
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=120)
"""How long after its last sign of life a rebuild is taken for dead."""
CLOCKS_APART = timedelta(seconds=10)
"""Of the machines that make ids; what was made by a clock further ahead, the comparison finds."""
ROUNDS = 3
"""So often what differs is written again before the rebuild gives up."""


class RebuildRunning(Exception):
    """Another process rebuilds this kind at this moment."""


class GenerationsDiffer(Exception):
    """The new generation does not hold what the record says; searches stay with the old one."""


def begin_rebuild(kind: str, *, engine: SearchEngine, holder: UUID, now: datetime) -> IndexRebuild:
    """Begin to rebuild a kind's index, or go on where an earlier process stopped.

    Raises RebuildRunning; the engine's Rejected, when an old generation still stands.
    """
    with open_operator():
        made = IndexRebuild(kind=kind, started_at=now, updated_at=now)
        IndexRebuild.objects.bulk_create([made], ignore_conflicts=True)
        rebuild = IndexRebuild.objects.select_for_update().get(kind=kind)
        if rebuild.holder != holder and rebuild.held_until is not None and rebuild.held_until > now:
            raise RebuildRunning(
                f"{kind}: another process rebuilds it, and gave its last sign at {rebuild.updated_at}"
            )
        if rebuild.state == Step.DONE:
            rebuild.state, rebuild.position, rebuild.written, rebuild.started_at = Step.BACKFILL, None, 0, now
        rebuild.holder, rebuild.held_until, rebuild.updated_at = holder, now + LEASE, now
        rebuild.save()
    if engine.begin_rebuild(definition(kind)):
        _note(rebuild, now=now, state=Step.BACKFILL, position=None, written=0)
    return rebuild


def backfill(rebuild: IndexRebuild, *, engine: SearchEngine, model: str, limit: int = SLICE, now: datetime) -> int:
    """Bring the next rows to the new generation, and return how many; at 0 all are there.

    Raises RebuildRunning, when another process took over; the engine's errors.
    """
    if rebuild.state != Step.BACKFILL:
        return 0
    rows = _rows(rebuild.kind, model=model, after=rebuild.position, before=_end(rebuild), limit=limit)
    if not rows:
        _note(rebuild, now=now, state=Step.COMPARE)
        return 0
    _written(engine, rows)
    _note(rebuild, now=now, position=rows[-1].id, written=rebuild.written + len(rows))
    return len(rows)


def compare_tenant(
    rebuild: IndexRebuild, tenant_id: UUID, *, engine: SearchEngine, model: str, now: datetime
) -> None:
    """Compare a tenant's documents in the new generation with the record, and mend what differs.

    Raises GenerationsDiffer, when some cannot be mended; RebuildRunning; the engine's errors.
    """
    _note(rebuild, now=now)
    for _ in range(ROUNDS):
        found = differences(tenant_id, rebuild.kind, engine=engine, upcoming=True)
        if not found:
            return
        log.warning("rebuild: %d documents (%s) of tenant %s differ", len(found), rebuild.kind, tenant_id)
        _mend(engine, rebuild.kind, tenant_id, found, model=model)
    left = ", ".join(f"{one.id} ({one.sort})" for one in found[:5])
    raise GenerationsDiffer(
        f"{rebuild.kind}: {len(found)} documents of tenant {tenant_id} cannot be brought to the new generation"
        f" ({left}); the log says why. Searches stay with the old one."
    )


def finish_rebuild(rebuild: IndexRebuild, *, engine: SearchEngine, now: datetime) -> None:
    """Have searches read the new generation. Raises RebuildRunning; the engine's errors."""
    _note(rebuild, now=now)
    engine.swap(rebuild.kind)
    _note(rebuild, now=now, state=Step.DONE, holder=None, held_until=None)
    log.info("rebuild: searches read the new generation of %s, %d rows", rebuild.kind, rebuild.written)


def let_go(kind: str, *, holder: UUID) -> None:
    """Leave the rebuild of a kind to whoever comes next, should this process hold it."""
    with open_operator():
        IndexRebuild.objects.filter(kind=kind, holder=holder).update(holder=None, held_until=None)


def _note(rebuild: IndexRebuild, *, now: datetime, **changed: Any) -> None:
    """Store how far it came, which is a sign of life. Raises RebuildRunning, when another process took over."""
    changed = {"held_until": now + LEASE, "updated_at": now, **changed}
    with open_operator():
        own = IndexRebuild.objects.filter(id=rebuild.id, holder=rebuild.holder)
        if not own.update(**changed):
            raise RebuildRunning(f"{rebuild.kind}: another process took over; this one was silent for too long")
    for name, value in changed.items():
        setattr(rebuild, name, value)


def _end(rebuild: IndexRebuild) -> UUID:
    """Return the id before which the backfill ends: what is made later is brought by sync, to both generations.

    Without an end it would run after a busy writer for ever. Ids begin with the milliseconds of their making.
    """
    end_ms = int((rebuild.started_at + CLOCKS_APART).timestamp() * 1000)
    return UUID(int=end_ms << 80)


def _rows(
    kind: str,
    *,
    model: str,
    after: UUID | None = None,
    before: UUID | None = None,
    limit: int | None = None,
    ids: Sequence[UUID] | None = None,
) -> list[Any]:
    with open_operator():
        rows = searchable(kind, with_vectors(SEARCHED[kind], model=model)).order_by("id")
        if after is not None:
            rows = rows.filter(id__gt=after)
        if before is not None:
            rows = rows.filter(id__lt=before)
        if ids is not None:
            rows = rows.filter(id__in=ids)
        return list(rows[:limit])


def _mend(engine: SearchEngine, kind: str, tenant_id: UUID, found: Sequence[Difference], *, model: str) -> None:
    for part in slices(found):
        _written(engine, _rows(kind, model=model, ids=[one.id for one in part if one.recorded is not None]))
        _require(engine.backfill(removals(tenant_id, kind, part)))


def _written(engine: SearchEngine, rows: Sequence[Any]) -> None:
    """Bring rows to the new generation; what it will not take is left to the comparison, and said in the log."""
    changes = []
    for row in rows:
        try:
            body = body_of(row)
        except UNMAKEABLE:
            log.exception("rebuild: no document can be made of %s %s", row.kind, row.id)
            continue
        changes.append(Change(tenant_id=row.tenant_id, kind=row.kind, id=row.id, version=row.doc_version, body=body))
    _require(engine.backfill(changes))


def _require(outcomes: Sequence[Outcome]) -> None:
    """Raise Unavailable, when the engine was not ready for some; say in the log what it rejected."""
    for outcome in outcomes:
        if outcome.state is State.REJECTED:
            log.error("rebuild: %s %s is rejected: %s", outcome.change.kind, outcome.change.id, outcome.reason)
    unready = [outcome for outcome in outcomes if outcome.state in (State.RETRY, State.CONFLICT)]
    if unready:
        raise Unavailable(f"the engine was not ready for {len(unready)} documents: {unready[0].reason}")
