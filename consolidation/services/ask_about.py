"""Ask about a memory: a review that no run opens."""

from datetime import datetime

from consolidation.models import ReviewItem
from consolidation.models.review_item import ReviewKind, ReviewState
from consolidation.services.open_review import open_review
from memories.models import Memory, Source
from tenants.scope import Scope


def ask_about(scope: Scope, memory: Memory, kind: ReviewKind, *, now: datetime) -> None:
    """Open a review of a memory, with the newest turn that it rests on, unless one is open. The scope is open."""
    if ReviewItem.objects.filter(memory_id=memory.id, state=ReviewState.OPEN).exists():
        return
    edges = Source.objects.filter(memory_id=memory.id, voided_at__isnull=True, turn__isnull=False)
    newest = edges.order_by("-recorded_at", "-id").values_list("turn_id", flat=True).first()
    open_review(scope, memory, kind, memory_id=memory.id, turn_id=newest or memory.turn_id, now=now)
