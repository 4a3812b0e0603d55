"""Open review: a question for a person, told in the event log."""

from datetime import datetime
from uuid import UUID

from consolidation.models import ReviewItem, Run
from consolidation.models.review_item import ReviewKind
from memories.models import Memory
from tenants.scope import Scope
from tenants.services.note_event import note_event


def open_review(
    scope: Scope,
    of: Run | Memory,
    kind: ReviewKind,
    *,
    memory_id: UUID | None = None,
    met_id: UUID | None = None,
    turn_id: UUID | None = None,
    entity_ids: tuple[UUID, UUID] | None = None,
    now: datetime,
) -> None:
    """Open a review. of: the run that asks, or the memory that nobody but a caller asks about.

    entity_ids: of two that may be one. The scope is open.
    """
    one, other = entity_ids or (None, None)
    item = ReviewItem.objects.create(
        tenant_id=of.tenant_id,
        subject_id=of.subject_id,
        compartments=of.compartments,
        run=of if isinstance(of, Run) else None,
        kind=kind,
        memory_id=memory_id,
        met_id=met_id,
        turn_id=turn_id,
        entity_id=one,
        other_entity_id=other,
        opened_at=now,
    )
    ids = [item.id, *(named for named in (memory_id, turn_id, one, other) if named is not None)]
    note_event(scope, "review.opened", object_ids=ids, data={"kind": str(kind)}, now=now)
