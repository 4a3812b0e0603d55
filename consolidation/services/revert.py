"""Revert: everything that came of a turn or a memory is taken back, in one transaction with a receipt.

1. Edges of provenance that lead to the root are void from now on; the root's own rows close. 2. What rests on nothing
else is retracted, and what that had contradicted is believed again; what has other evidence is marked for a rebuild.
3. Outcomes that the turn told are taken from their playbooks, and a playbook that it refined is as before. 4. What
the turn asked to forget is believed again. 5. Relations follow their facts, or the turn. 6. Open
reviews of the turn are closed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q

from backends.search import names
from consolidation.models import Decision, Receipt, ReviewItem
from consolidation.models.decision import Verdict
from consolidation.models.receipt import Act, Doing, ReceiptKind, stored
from consolidation.models.review_item import ReviewState
from consolidation.services.acts import acts_of, counts_of
from consolidation.services.derived import FindRoot, outcomes_of
from consolidation.services.follow_facts import close_relations, reopen_relations
from consolidation.services.outcomes import BETTER, INSTEAD
from consolidation.services.root import Root
from consolidation.services.unrelate import unrelate
from memories.models import Memory, Procedure, Source
from memories.models.memory import WAITING, Status
from memories.models.source import SourceRelation
from memories.services.close_retracted import close_retracted
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.evidence_lost import evidence_lost, evidence_voided
from memories.services.find_memory import MemoryNotOpen
from memories.services.lineage import with_later_rows
from memories.services.restore import restore
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen

REASON = "reverted"


def may_revert(scope: Scope) -> None:
    """Raise ScopeDenied, unless the scope may revert."""
    scope.require(Ability.REVIEW)
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_whole_tenant("reverting takes back what came of a turn anywhere in the memories")


def revert(scope: Scope, find_root: FindRoot, root_id: UUID, *, now: datetime) -> Receipt:
    """Take back all that came of a root, seen by the scope or not, and return the receipt.

    Raises ScopeDenied; DoesNotExist, when the scope sees no such root.
    """
    may_revert(scope)
    with open_scope(scope):
        root = find_root(scope, root_id)
        whole = replace(scope, kinds=names.KINDS)  # all of it goes, whatever kinds the key reads
        with open_unseen(scope):
            _one_at_a_time(root)
            acts = list(_reverted(whole, root, now=now))
        receipt = Receipt.objects.create(
            tenant_id=scope.tenant_id,
            subject_id=root.subject_id,
            compartments=list(root.compartments),
            kind=ReceiptKind.REVERT,
            verb=root.verb,
            root_id=root.turn_id or root.id,
            acts=stored(acts),
            key_id=scope.key_id,
            made_at=now,
        )
        ids = [receipt.id, receipt.root_id or root.id]
        data: dict[str, str | int] = {"root": root.verb, **counts_of(acts)}
        note_event(scope, "evidence.reverted", object_ids=ids, subject=receipt.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return receipt


def _one_at_a_time(root: Root) -> None:
    """Wait for whoever reverts the same: the second finds what the first has done. Until the transaction's end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"revert {root.turn_id or root.id}"])


def _reverted(scope: Scope, root: Root, *, now: datetime) -> Iterator[Act]:
    yield from _uncounted(root)
    yield from _voided(scope, root, now=now)
    yield from _unrefined(scope, root, now=now)
    yield from _remembered(scope, root, now=now)
    yield from unrelate(scope, root, now=now)
    _close_reviews(scope, root, now=now)


def _voided(scope: Scope, root: Root, *, now: datetime) -> Iterator[Act]:
    """Close the root's own rows, void what leads to it, and let follow what follows.

    The rows are locked first: a run that is reading the episode has written what follows from it by then.
    """
    own = Memory.objects.select_for_update(no_key=True, of=("self",)).filter(id__in=root.memory_ids)
    rows = list(own.filter(status__in=[Status.ACTIVE, *WAITING]).order_by("id"))
    led = Q(parent_id__in=root.memory_ids)
    if root.turn_id is not None:
        led |= Q(turn_id=root.turn_id)
    edges = Source.objects.filter(led, voided_at__isnull=True).exclude(relation=SourceRelation.SUPERSEDES)
    edges = edges.exclude(memory_id__in=root.memory_ids).order_by("id")
    led_ids = list(edges.values_list("id", "memory_id"))
    if led_ids:
        Source.objects.filter(id__in=[edge_id for edge_id, _ in led_ids]).update(voided_at=now)
        yield Act(doing=Doing.VOIDED, rows=tuple(edge_id for edge_id, _ in led_ids))
    barred = Memory.objects.filter(id__in=root.memory_ids, status=Status.ARCHIVED)
    for memory_id in list(barred.order_by("id").values_list("id", flat=True)):
        Memory.objects.filter(id=memory_id).update(rebuild_due_at=now)  # neither recalled nor restored any more
        yield Act(doing=Doing.WEAKENED, row=memory_id)
    for memory in rows:
        yield from _followed(scope, acts_of(close_retracted(scope, memory, reason=REASON, now=now)), now=now)
    closed = evidence_voided(scope, {memory_id for _, memory_id in led_ids}, reason=REASON, now=now)
    yield from _followed(scope, acts_of(closed), now=now)


def _followed(scope: Scope, acts: Sequence[Act], *, now: datetime) -> Iterator[Act]:
    """Yield acts, and what they mean for relations."""
    yield from acts
    yield from close_relations(scope, [act.row for act in acts if act.doing is Doing.RETRACTED], now=now)
    yield from reopen_relations(scope, [act.row for act in acts if act.doing is Doing.REVIVED], now=now)


def _uncounted(root: Root) -> Iterator[Act]:
    """Take the outcomes that a turn told from the playbooks, and from the copies that carry their counts; once."""
    standing = Receipt.objects.filter(kind=ReceiptKind.REVERT, root_id=root.turn_id, undone_at__isnull=True)
    taken = {(act.row, act.before) for receipt in standing for act in receipt.done() if act.doing is Doing.OUTCOME}
    for outcome in outcomes_of(root):
        told = "success" if outcome.success else "failure"
        if (outcome.memory_id, told) in taken:
            continue
        column = f"{told}_count"
        rows = with_later_rows(outcome.memory_id)
        counted = Procedure.objects.filter(memory_id__in=rows, **{f"{column}__gt": 0})
        if counted.update(**{column: F(column) - 1}):
            yield Act(doing=Doing.OUTCOME, row=outcome.memory_id, before=told)


def _unrefined(scope: Scope, root: Root, *, now: datetime) -> Iterator[Act]:
    """Retract the revision that a turn made of a playbook, whose other evidence is the earlier one's."""
    if root.turn_id is None:
        return
    refined = Decision.objects.filter(turn_id=root.turn_id, verdict=Verdict.REFINED, why__in=[INSTEAD, BETTER])
    rows = Memory.objects.select_for_update(no_key=True, of=("self",))
    for memory in rows.filter(id__in=refined.values("memory_id"), status=Status.ACTIVE).order_by("id"):
        closed = close_retracted(scope, memory, reason=REASON, now=now)
        closed.add(evidence_lost(scope, [memory], reason=REASON, now=now))
        yield from acts_of(closed)


def _remembered(scope: Scope, root: Root, *, now: datetime) -> Iterator[Act]:
    """Believe again what the turn asked to forget, unless something has taken its place."""
    if root.turn_id is None:
        return
    forgotten = Decision.objects.filter(turn_id=root.turn_id, verdict=Verdict.FORGOTTEN, memory_id__isnull=False)
    for memory in list(Memory.objects.filter(id__in=forgotten.values("memory_id")).order_by("id")):
        try:
            with transaction.atomic():
                copy = restore(replace(scope, compartments=tuple(memory.compartments)), memory.id, now=now)
        except (MemoryNotOpen, SlotTaken, TextTaken, Memory.DoesNotExist):
            continue
        yield Act(doing=Doing.RESTORED, row=copy.id, other=memory.id)


def _close_reviews(scope: Scope, root: Root, *, now: datetime) -> None:
    """Close the open reviews of a turn: there is nothing left to decide."""
    if root.turn_id is None:
        return
    reviews = ReviewItem.objects.filter(turn_id=root.turn_id, state=ReviewState.OPEN)
    for review in list(reviews.select_for_update(no_key=True, of=("self",)).order_by("id")):
        ReviewItem.objects.filter(id=review.id).update(state=ReviewState.REJECTED, decided_at=now)
        data = {"kind": str(review.kind)}
        note_event(scope, "review.rejected", object_ids=[review.id], data=data, now=now)
