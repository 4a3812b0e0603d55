"""An event as it goes over the wire."""

from typing import Any

from inspector.services.read_events import Seen
from tenants.forms.moments import iso


def rendered(seen: Seen) -> dict[str, Any]:
    """Return the JSON of one event: number, kind, when, who, ids, data, and what the ids are."""
    return {
        "seq": seen.event.seq,
        "kind": seen.event.kind,
        "at": iso(seen.event.at),
        "actor": seen.event.actor,
        **({"staff": seen.staff} if seen.staff else {}),
        "object_ids": [str(object_id) for object_id in seen.object_ids],
        "more": seen.more,
        "data": seen.event.data,
        "objects": {str(object_id): row for object_id, row in seen.objects.items()},
    }
