"""What of an event its hash covers."""

from datetime import UTC
from typing import Any

from tenants.models import Event


def event_body(event: Event, *, seq: int) -> dict[str, Any]:
    """Return everything of an event but the hashes, as plain values; seq: the number it is given, or has."""
    pseudonym = event.subject_pseudonym
    return {
        "id": str(event.id),
        "tenant_id": str(event.tenant_id) if event.tenant_id else None,
        "seq": seq,
        "kind": event.kind,
        "schema_version": event.schema_version,
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": event.actor,
        "key_id": str(event.key_id) if event.key_id else None,
        "request_id": event.request_id,
        "purpose": event.purpose,
        "object_ids": [str(object_id) for object_id in event.object_ids],
        "subject_pseudonym": bytes(pseudonym).hex() if pseudonym is not None else None,
        "data": event.data,
    }
