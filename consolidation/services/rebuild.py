"""Rebuild: a memory that lost evidence is derived anew from what is left; kept, said otherwise, or dropped.

Everything about one memory happens in one transaction, in which its row is locked and its mark taken away: a worker
that dies leaves it marked, and two workers do not both do it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db import transaction

from backends.search import names
from consolidation.models.review_item import ReviewKind
from consolidation.services.ask_about import ask_about
from consolidation.services.held import CLAIM
from consolidation.services.marked import Marked
from consolidation.services.outcomes import RULE
from consolidation.services.scopes import sleeping_scope, tenant_scope
from consolidation.services.summarise import CATEGORY, PREDICATE, rebuild_summary
from consolidation.services.supports import Support, supports
from memories.models import Memory, Source
from memories.models.memory import WAITING, Status
from memories.models.source import SourceRelation, SourceType
from memories.services.close_retracted import close_retracted
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.correct import correct
from memories.services.evidence_lost import evidence_lost, standing_among
from memories.services.moment import moment
from memories.services.new_memory import REST
from memories.services.wake import wake
from memories.trust import Trust
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)
REASON = "rebuilt"


class Rebuilt(StrEnum):
    """What became of a memory. UNSURE: it stays, and somebody is asked. SUMMARISED: another summary was made."""

    KEPT = "kept"
    REWRITTEN = "rewritten"
    DROPPED = "dropped"
    UNSURE = "unsure"
    SUMMARISED = "summarised"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """supports: the words that carry it from now on. made: the summary in its place; both empty: nothing changes."""

    outcome: Rebuilt
    supports: Sequence[Support] = ()
    made: Memory | None = None


def rebuild(marked: Marked, *, now: datetime) -> Rebuilt | None:
    """Rebuild one memory; None, when somebody has done it already, or it is closed."""
    if marked.subject_id is None:
        scope = tenant_scope(marked.tenant_id, marked.compartments)
    else:
        scope = sleeping_scope(marked.tenant_id, marked.subject_id, marked.compartments)
    with open_scope(scope):
        rows = Memory.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        memory = rows.filter(
            id=marked.memory_id, rebuild_due_at__isnull=False, status__in=[Status.ACTIVE, *WAITING]
        ).first()
        if memory is None:
            return None
        now = moment(now, memory)
        verdict = _of_summary(scope, memory, now=now) or _judged(memory)
        Memory.objects.filter(id=memory.id).update(rebuild_due_at=None)
        ids = _done(scope, memory, verdict, now=now)
        data = {"outcome": verdict.outcome.value}
        note_event(scope, "memory.rebuilt", object_ids=ids, subject=memory.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return verdict.outcome


def _of_summary(scope: Scope, memory: Memory, *, now: datetime) -> _Verdict | None:
    """Put a summary together anew, which retracts it; None for what is none, or waits."""
    if memory.category != CATEGORY or memory.predicate != PREDICATE or memory.status != Status.ACTIVE:
        return None
    made = rebuild_summary(scope, memory, now=now)
    return _Verdict(outcome=Rebuilt.SUMMARISED if made is not None else Rebuilt.DROPPED, made=made)


def _judged(memory: Memory) -> _Verdict:
    edges = Source.objects.filter(memory_id=memory.id).exclude(relation=SourceRelation.SUPERSEDES)
    edges = edges.select_related("turn").order_by("recorded_at", "id")
    standing = standing_among(edge for edge in edges if edge.voided_at is None)
    lost = [edge for edge in edges if edge not in standing]
    if not standing:
        return _Verdict(outcome=Rebuilt.DROPPED)
    if memory.status != Status.ACTIVE or not lost:
        return _Verdict(outcome=Rebuilt.KEPT)
    if memory.memory_type == names.PROCEDURAL:
        return _Verdict(outcome=_of_playbook(standing, lost))
    if isinstance(memory.metadata.get(CLAIM), dict):
        return _of_claim(memory, standing)
    said = any(edge.turn_id is None and edge.parent_id is None for edge in standing)
    return _Verdict(outcome=Rebuilt.KEPT if said else Rebuilt.UNSURE)


def _of_playbook(standing: Sequence[Source], lost: Sequence[Source]) -> Rebuilt:
    """Drop a playbook whose steps nobody told any more; ask where a caller had named what is lost."""
    if any(edge.method != RULE for edge in lost):
        return Rebuilt.UNSURE
    told = {edge.source_type for edge in standing}
    if any(edge.source_type == SourceType.ASSISTANT for edge in lost) and SourceType.ASSISTANT not in told:
        return Rebuilt.DROPPED
    return Rebuilt.KEPT


def _of_claim(memory: Memory, standing: Sequence[Source]) -> _Verdict:
    """Look for what a fact says in each turn that is left; the rest of a saying is there as long as its turn is."""
    if any(edge.method == REST and edge.turn_id is not None for edge in standing):
        return _Verdict(outcome=Rebuilt.KEPT)
    found = [support for edge in standing for support in supports(memory, edge)]
    if not found:
        return _Verdict(outcome=Rebuilt.UNSURE)
    same = any(support.same_text for support in found)
    return _Verdict(outcome=Rebuilt.KEPT if same else Rebuilt.REWRITTEN, supports=found)


def _done(scope: Scope, memory: Memory, verdict: _Verdict, *, now: datetime) -> list[UUID]:
    """Do what was ruled; return the memory and what took its place."""
    ids = [memory.id]
    if memory.category == CATEGORY and verdict.outcome in (Rebuilt.SUMMARISED, Rebuilt.DROPPED):
        if verdict.made is not None:
            ids.append(verdict.made.id)
    elif verdict.outcome is Rebuilt.DROPPED:
        close_retracted(scope, memory, reason=REASON, now=now)
        evidence_lost(scope, [memory], reason=REASON, now=now)
    elif verdict.outcome is Rebuilt.UNSURE:
        ask_about(scope, memory, ReviewKind.REBUILD, now=now)
    elif verdict.outcome is Rebuilt.REWRITTEN:
        ids += _rewritten(scope, memory, verdict.supports, now=now)
    if verdict.supports and memory.status == Status.ACTIVE:
        _weigh(ids[-1], verdict.supports)
    return ids


def _rewritten(scope: Scope, memory: Memory, found: Sequence[Support], *, now: datetime) -> list[UUID]:
    """Say a memory in the words of the best evidence that is left; asked about, where another one says the same."""
    best = max(found, key=lambda support: (support.trust.rank, support.said_at))
    changes = {
        "text": best.text,
        "predicate": best.predicate,
        "metadata": {**memory.metadata, CLAIM: best.claim},
    }
    try:
        return [correct(scope, memory.id, changes, now=now).id]
    except (SlotTaken, TextTaken):
        ask_about(scope, memory, ReviewKind.REBUILD, now=now)
        return []


def _weigh(memory_id: UUID, found: Sequence[Support]) -> None:
    """Count and trust a memory by the evidence that is left: each of it says the same by itself."""
    trust = max((support.trust for support in found), key=lambda one: one.rank, default=Trust.USER)
    times = len({support.turn_id for support in found})
    Memory.objects.filter(id=memory_id).update(frequency=times, trust=trust)
