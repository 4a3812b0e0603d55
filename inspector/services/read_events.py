"""Read sealed events of one tenant, in the order of their numbers, with what they are about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Max

from inspector.services.look_up import look_up
from inspector.services.staff_names import staff_names
from tenants.models import Event
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

OBJECTS_PER_EVENT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One sealed event as a scope may see it.

    object_ids: the first of those it is about, without what is hidden from the scope; more: how many others.
    objects: what Postgres holds of them now; what is erased is missing.
    staff: the name of the user of the admin who acted, for those who may know it; empty else.
    """

    event: Event
    object_ids: tuple[UUID, ...]
    more: int
    objects: dict[UUID, dict[str, Any]]
    staff: str = ""


def last_seq(scope: Scope) -> int:
    """Return the number of the tenant's last sealed event; 0 = none yet."""
    with open_scope(scope):
        return Event.objects.filter(tenant_id=scope.tenant_id).aggregate(last=Max("seq"))["last"] or 0


def read_events(scope: Scope, *, after: int, limit: int) -> list[Seen]:
    """Return at most `limit` sealed events with numbers above `after`, ascending and without a gap.

    Raises ScopeDenied, when the scope may not read memories.
    """
    scope.require(Ability.MEMORIES_READ)
    with open_scope(scope):
        events = list(Event.objects.filter(tenant_id=scope.tenant_id, seq__gt=after).order_by("seq")[:limit])
        seen = _seen(scope, events)
    names = staff_names(scope, {event.data["staff_id"] for event in events if "staff_id" in event.data})
    return [replace(one, staff=names.get(one.event.data.get("staff_id"), "")) for one in seen]


def _seen(scope: Scope, events: Sequence[Event]) -> list[Seen]:
    if not events:
        return []
    first = {event.id: event.object_ids[:OBJECTS_PER_EVENT] for event in events}
    found = look_up(scope, {object_id for ids in first.values() for object_id in ids})
    return [
        Seen(
            event=event,
            object_ids=tuple(key for key in first[event.id] if key not in found.hidden),
            more=len(event.object_ids) - len(first[event.id]),
            objects={key: found.rows[key] for key in first[event.id] if key in found.rows},
        )
        for event in events
    ]
