"""Review: a person decides on what the rules were not sure of."""

from datetime import datetime
from uuid import UUID

from consolidation.models import ReviewItem
from consolidation.models.review_item import ReviewKind, ReviewState
from consolidation.services.merge import REVIEWED, NotMergeable, merge
from memories.models import Entity, Memory
from memories.models.memory import WAITING, Status
from memories.services.accept import accept
from memories.services.correct import correct
from memories.services.find_memory import lock_open
from memories.services.references import UnknownReference
from memories.services.reject import reject
from memories.services.retract import retract
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

SHOWN = ("subject", "memory", "met", "turn", "entity", "other_entity")
"""What is read along with a review."""


class ReviewClosed(Exception):
    """Somebody has decided this already."""


def accept_review(scope: Scope, review_id: UUID, *, text: str | None = None, now: datetime) -> ReviewItem:
    """Believe the memory of a review, in better words where given; what it contradicts gives way to it.

    The turn of an instruction was kept and yielded nothing; accepting it only closes the review. Of a merge, the
    two entities become one.
    Raises ScopeDenied; ReviewItem.DoesNotExist; ReviewClosed; MemoryNotOpen, SlotTaken or TextTaken, as
    memories.services.accept does; NotMergeable.
    """
    with open_scope(scope):
        item = _locked(scope, review_id)
        if item.entity_id is not None and item.other_entity_id is not None:
            _merged(scope, item.entity_id, item.other_entity_id, now=now)
        elif item.memory_id is not None:
            met = Memory.objects.filter(id=item.met_id, status=Status.ACTIVE).first() if item.met_id else None
            memory = _believed(scope, item, item.memory_id, met, now=now)
            if text is not None and text != memory.text:
                correct(scope, memory.id, {"text": text}, now=now)
        return _closed(scope, item, ReviewState.ACCEPTED, now=now)


def _believed(scope: Scope, item: ReviewItem, memory_id: UUID, met: Memory | None, *, now: datetime) -> Memory:
    """Accept the memory of a review; what lost evidence is believed already, and only has to be there still."""
    if item.kind != ReviewKind.REBUILD:
        return accept(scope, memory_id, supersedes_id=met.id if met is not None else None, now=now)
    scope.require(Ability.MEMORIES_WRITE)
    return lock_open(scope, memory_id)


def _merged(scope: Scope, entity_id: UUID, other_id: UUID, *, now: datetime) -> None:
    """Make the two of a review one, reversibly, as anybody may who asks for it."""
    try:
        merge(scope, entity_id, other_id, why=REVIEWED, now=now)
    except (Entity.DoesNotExist, UnknownReference) as error:
        raise NotMergeable("one of the two is closed or merged by now; reject the review") from error


def reject_review(scope: Scope, review_id: UUID, *, now: datetime) -> ReviewItem:
    """Never believe the memory of a review; one that lost evidence, and is believed already, is retracted.

    Raises ScopeDenied; ReviewItem.DoesNotExist; ReviewClosed.
    """
    with open_scope(scope):
        item = _locked(scope, review_id)
        memory = Memory.objects.filter(id=item.memory_id).first() if item.memory_id is not None else None
        if memory is not None and memory.status in WAITING:
            reject(scope, memory.id, now=now)
        elif memory is not None and item.kind == ReviewKind.REBUILD and memory.status == Status.ACTIVE:
            retract(scope, memory.id, now=now)
        return _closed(scope, item, ReviewState.REJECTED, now=now)


def _locked(scope: Scope, review_id: UUID) -> ReviewItem:
    scope.require(Ability.REVIEW)
    item = ReviewItem.objects.select_for_update(no_key=True).get(id=review_id)
    if item.state != ReviewState.OPEN:
        raise ReviewClosed(f"review {item.id} is {item.state}; read the memory's history")
    return item


def _closed(scope: Scope, item: ReviewItem, state: ReviewState, *, now: datetime) -> ReviewItem:
    ReviewItem.objects.filter(id=item.id).update(state=state, decided_at=now)
    ids = [pk for pk in (item.id, item.memory_id, item.entity_id, item.other_entity_id) if pk is not None]
    kind = "review.accepted" if state == ReviewState.ACCEPTED else "review.rejected"
    note_event(scope, kind, object_ids=ids, data={"kind": str(item.kind)}, now=now)
    return ReviewItem.objects.select_related(*SHOWN).get(id=item.id)
