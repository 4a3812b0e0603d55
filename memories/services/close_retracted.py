"""Close a memory as never true; what it had contradicted is believed again."""

from datetime import datetime

from django.db import IntegrityError

from memories.models import Memory, Source
from memories.models.memory import Status
from memories.models.source import SourceRelation
from memories.services.closed import Closed
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.lineage import with_all_later_rows, with_ancestors
from memories.services.new_memory import DIRECT, REST
from memories.services.supersede import replace_by_copy
from tenants.scope import Scope
from tenants.services.note_event import note_event


def close_retracted(scope: Scope, memory: Memory, *, reason: str, now: datetime) -> Closed:
    """Retract a locked, open memory, and revive what it or an earlier row of it contradicted, as a copy; return all.

    What cannot be revived, since another memory took its slot or says the same, stays closed; what was left of it
    while a part of it was closed goes. reason: a code for the
    event; empty where a caller asked for it. The scope is open.
    """
    closed = Closed(retracted=[(memory.id, memory.status)])
    Memory.objects.filter(id=memory.id).update(status=Status.RETRACTED, closed_at=now)
    data = {"reason": reason} if reason else {}
    note_event(scope, "memory.retracted", object_ids=[memory.id], subject=memory.subject, data=data, now=now)
    for predecessor in _contradicted_by(memory):
        try:
            copy = replace_by_copy(predecessor, None, method="restore", now=now, restores_id=predecessor.id)
        except (SlotTaken, TextTaken, IntegrityError):
            continue
        closed.revived.append((copy.id, predecessor.id))
        ids = [copy.id, predecessor.id]
        note_event(scope, "memory.revived", object_ids=ids, subject=memory.subject, now=now)
        for rest in _rests_of(predecessor):
            closed.add(close_retracted(scope, rest, reason=reason, now=now))
    return closed


def _contradicted_by(memory: Memory) -> list[Memory]:
    """Return what a memory superseded because it contradicted it, not what it corrected or ended."""
    own = with_ancestors([memory.id])
    contradicted = Source.objects.filter(memory_id__in=own, relation=SourceRelation.SUPERSEDES, method=DIRECT)
    return list(Memory.objects.filter(superseded_by_id__in=own, id__in=contradicted.values("parent_id")))


def _rests_of(memory: Memory) -> list[Memory]:
    """Return what is believed as the rest of a memory that is believed again as a whole, locked."""
    edges = Source.objects.filter(
        parent_id__in=with_ancestors([memory.id]), relation=SourceRelation.SUPERSEDES, method=REST
    )
    own = with_all_later_rows(edges.values_list("memory_id", flat=True))
    rows = Memory.objects.select_for_update(no_key=True, of=("self",))
    return list(rows.filter(id__in=own, status=Status.ACTIVE).order_by("id"))
