"""List memories, newest first, page by page."""

from dataclasses import dataclass
from uuid import UUID

from backends.search.filters import Filter
from memories.models import Memory
from memories.models.memory import Status
from memories.services.filtering import filtered
from memories.services.of_user import of_user
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a list is limited to; None restricts nothing. before: the last id of the page before."""

    user_id: str | None = None
    memory_type: str | None = None
    status: str | None = None
    category: str | None = None
    slot: str | None = None
    entity_id: UUID | None = None
    filters: Filter | None = None
    before: UUID | None = None
    limit: int = 50


def list_memories(scope: Scope, wanted: Wanted) -> list[Memory]:
    """Return at most `limit` memories by id, newest first; a user's list holds the shared ones as well.

    Without a status, closed ones are left out. Raises ScopeDenied, as find_subject does; FieldDenied, when the scope
    may not filter by a field.
    """
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        rows = of_user(scope, Memory.objects.filter(memory_type__in=scope.kinds), wanted.user_id)
        exact = {
            "memory_type": wanted.memory_type,
            "status": wanted.status,
            "category": wanted.category,
            "slot": wanted.slot,
            "entity_id": wanted.entity_id,
            "id__lt": wanted.before,
        }
        rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
        rows = filtered(scope, rows, wanted.filters)
        if wanted.status is None:
            closed = [Status.SUPERSEDED, Status.RETRACTED, Status.REJECTED, Status.ARCHIVED]
            rows = rows.exclude(status__in=closed)
        related = rows.select_related("turn", "session", "subject", "entity")
        return list(related.order_by("-id")[: wanted.limit])
