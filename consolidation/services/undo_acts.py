"""Undo acts: the lines of a receipt, taken back one by one, last first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from consolidation.models.receipt import Act, Doing
from consolidation.models.review_item import ReviewKind
from consolidation.services.ask_about import ask_about
from consolidation.services.follow_facts import of_relation, reopen
from memories.models import Memory, Procedure, Relation, Source
from memories.models.memory import WAITING, Contradiction, Status
from memories.services.add_sources import superseding
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.find_memory import MemoryNotOpen
from memories.services.lineage import with_ancestors, with_later_rows
from memories.services.new_memory import DIRECT
from memories.services.relations import close_relation
from memories.services.restore import restore
from memories.services.retract import retract
from memories.services.supersede import close_for, replace_by_copy
from memories.trust import VALUES, Trust
from tenants.scope import Scope, ScopeDenied
from tenants.services.note_event import note_event

_REFUSALS = (MemoryNotOpen, SlotTaken, TextTaken, ScopeDenied, Memory.DoesNotExist, Relation.DoesNotExist)


def undo_acts(scope: Scope, acts: Sequence[Act], *, unseen: bool, now: datetime) -> list[Act]:
    """Undo acts, last first; return those that could not be, since something has changed there. The scope is open.

    unseen: whether it reaches compartments that the scope does not hold, in which the caller has opened it.
    """
    revived = {act.other: act.row for act in acts if act.doing is Doing.REVIVED and act.other and act.row}
    undoing = _Undoing(scope=scope, revived=revived, unseen=unseen, now=now)
    rows = [row for act in acts if act.doing is Doing.VOIDED for row in act.rows]
    _standing_again(rows)  # before the copies of their memories are made
    left = []
    for act in reversed(acts):
        try:
            with transaction.atomic():
                undoing.undo(act)
        except _REFUSALS:
            left.append(act)
    return left


def _trust_as_before(memory_id: UUID, before: Trust) -> None:
    """Trust a memory as before it was said again, or as the best turn that says it otherwise."""
    said = Source.objects.filter(memory_id=memory_id, voided_at__isnull=True, turn__isnull=False)
    best = max((before, *map(Trust, said.values_list("turn__trust", flat=True))), key=lambda trust: trust.rank)
    lower = [trust.value for trust in Trust if best.rank < trust.rank <= Trust.USER.rank]  # an operator's word stays
    Memory.objects.filter(id=memory_id, trust__in=lower).update(trust=best)


def _standing_again(rows: Sequence[UUID]) -> None:
    """Let edges count again, and their copies, which memories have that were said otherwise meanwhile."""
    for edge in Source.objects.filter(id__in=rows, voided_at__isnull=False):
        copies = Source.objects.filter(
            Q(turn_id=edge.turn_id) if edge.turn_id is not None else Q(turn_id__isnull=True),
            Q(parent_id=edge.parent_id) if edge.parent_id is not None else Q(parent_id__isnull=True),
            memory_id__in=with_later_rows(edge.memory_id),
            relation=edge.relation,
            voided_at=edge.voided_at,
        )
        copies.update(voided_at=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Undoing:
    scope: Scope
    revived: Mapping[UUID, UUID]
    unseen: bool
    now: datetime
    retracted: set[UUID] = field(default_factory=set)

    def undo(self, act: Act) -> None:
        """Take one act back; what follows from others has no step of its own."""
        steps: Mapping[Doing, Callable[[Act, UUID], None]] = {
            Doing.LEARNED: self._retract,
            Doing.SUPERSEDED: self._retract,
            Doing.RESTORED: self._retract,
            Doing.CORRECTED: self._restore_other,
            Doing.ENDED: self._restore_other,
            Doing.REPEATED: self._unrepeat,
            Doing.RETRACTED: self._unretract,
            Doing.OUTCOME: self._count,
            Doing.WEAKENED: self._mark,
            Doing.REOPENED: self._close_relation,
            Doing.RELATION: self._reopen,
            Doing.UNTOLD: self._tell,
        }
        if act.doing in steps and act.row is not None:
            steps[act.doing](act, act.row)

    def _of(self, memory: Memory) -> Scope:
        return replace(self.scope, compartments=tuple(memory.compartments)) if self.unseen else self.scope

    def _retract(self, act: Act, row: UUID) -> None:
        if act.doing is Doing.SUPERSEDED and row in self.retracted:
            return  # with all that it is in the place of, each of which has its line
        retract(self._of(Memory.objects.get(id=row)), row, now=self.now)
        self.retracted.add(row)

    def _restore_other(self, act: Act, row: UUID) -> None:
        memory = Memory.objects.get(id=act.other or row)
        restore(self._of(memory), memory.id, now=self.now)

    def _unrepeat(self, act: Act, row: UUID) -> None:
        Source.objects.filter(id__in=act.rows).update(voided_at=self.now)
        Memory.objects.filter(id=row, frequency__gt=1).update(frequency=F("frequency") - 1)
        if act.before in VALUES:
            _trust_as_before(row, Trust(act.before))

    def _count(self, act: Act, row: UUID) -> None:
        column = "success_count" if act.before == "success" else "failure_count"
        Procedure.objects.filter(memory_id__in=with_later_rows(row)).update(**{column: F(column) + 1})

    def _mark(self, act: Act, row: UUID) -> None:
        """Have a memory looked at anew, now that all its evidence is there again."""
        del act
        rows = Memory.objects.filter(id__in=with_later_rows(row))
        rows.filter(status=Status.ACTIVE).update(rebuild_due_at=self.now)
        rows.filter(status=Status.ARCHIVED).update(rebuild_due_at=None)

    def _close_relation(self, act: Act, row: UUID) -> None:
        del act
        close_relation(of_relation(self.scope, Relation.objects.get(id=row)), row, now=self.now)

    def _reopen(self, act: Act, row: UUID) -> None:
        del act
        list(reopen(self.scope, Relation.objects.get(id=row), now=self.now))

    def _tell(self, act: Act, row: UUID) -> None:
        del act
        if not Relation.objects.filter(id=row, closed_at__isnull=True).update(weight=F("weight") + 1):
            raise Relation.DoesNotExist

    def _unretract(self, act: Act, row: UUID) -> None:
        """Put a copy of what was retracted, as it was, in the place of what had been believed again instead."""
        rows = Memory.objects.select_for_update(no_key=True, of=("self",))
        memory = rows.get(id=row)
        if memory.status != Status.RETRACTED:
            raise MemoryNotOpen(f"memory {row} is {memory.status}")
        if Memory.objects.filter(id__in=with_later_rows(row), status__in=[Status.ACTIVE, *WAITING]).exists():
            raise MemoryNotOpen(f"memory {row} is there again already")
        originals = list(
            Memory.objects.filter(superseded_by_id__in=with_ancestors([row]), id__in=list(self.revived)).order_by(
                "id"
            )
        )
        heads = [(original, head) for original in originals if (head := self._revived(original)) is not None]
        original, head = heads[0] if heads else (originals[0] if originals else None, None)
        waits = {"status": act.before, "accepted_at": None} if act.before in WAITING else {}
        copy = replace_by_copy(
            memory,
            head,
            method="restore" if head is None else DIRECT,  # it contradicts that again
            contradiction=Contradiction(original.contradiction) if original is not None else Contradiction.HARSH,
            ended_at=original.ended_at if original is not None else None,
            with_playbook=True,
            now=self.now,
            restores_id=memory.id,
            **waits,
        )
        for one, also in heads[1:]:
            self._close_too(copy, one, also)
        ids = [copy.id, memory.id, *([head.id] if head is not None else [])]
        note_event(self.scope, "memory.restored", object_ids=ids, subject=memory.subject, now=self.now)
        if act.before in WAITING:
            kind = ReviewKind.INSTRUCTION if act.before == Status.QUARANTINED else ReviewKind.UNSURE
            ask_about(self.scope, copy, kind, now=self.now)

    def _revived(self, original: Memory) -> Memory | None:
        """Return what was believed again instead of a closed memory, locked, if it is still."""
        rows = Memory.objects.select_for_update(no_key=True, of=("self",))
        return rows.filter(id=self.revived[original.id], status=Status.ACTIVE).first()

    def _close_too(self, copy: Memory, original: Memory, head: Memory) -> None:
        """Close one more of what had been believed again instead of a memory."""
        contradiction = Contradiction(original.contradiction)
        close_for(head, copy.id, contradiction=contradiction, ended_at=original.ended_at, now=self.now)
        edge = superseding(copy, head, method=DIRECT, now=self.now)
        Source.objects.bulk_create([edge], ignore_conflicts=True)
