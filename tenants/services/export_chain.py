"""Export a chain so that anybody can verify it without the site."""

import json
from collections.abc import Iterator
from uuid import UUID

from tenants.chain import canonical
from tenants.models import ChainHead, Event
from tenants.services.event_body import event_body
from tenants.services.open_scope import open_operator
from tenants.services.verify_chain import CHUNK

FORMAT = "mneme-audit-1"


def export_chain(tenant_id: UUID | None) -> Iterator[str]:
    """Yield the lines of an export: a head, then each sealed event's canonical JSON with its hashes.

    The canonical JSON is given as text, exactly as it was hashed, so that a verifier needs no canonicaliser.
    """
    with open_operator():
        head = ChainHead.objects.filter(tenant_id=tenant_id).first()
        yield json.dumps(
            {
                "format": FORMAT,
                "tenant_id": str(tenant_id) if tenant_id else None,
                "seq": head.seq if head else 0,
                "hash": bytes(head.hash).hex() if head else None,
            }
        )
        rows = Event.objects.filter(tenant_id=tenant_id, seq__isnull=False).order_by("seq")
        for event in rows.iterator(chunk_size=CHUNK):
            yield json.dumps(
                {
                    "event": canonical(event_body(event, seq=event.seq or 0)).decode(),
                    "prev_hash": bytes(event.prev_hash or b"").hex(),
                    "hash": bytes(event.hash or b"").hex(),
                },
                ensure_ascii=False,
            )
