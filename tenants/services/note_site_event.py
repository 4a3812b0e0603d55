"""Note an event on the site's own chain: what belongs to no tenant, or must outlive one."""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

from tenants.ids import uuid7
from tenants.scope import ActorKind
from tenants.services.note_event import EventData


def note_site_event(
    kind: str,
    *,
    object_ids: Sequence[UUID] = (),
    data: EventData | None = None,
    actor: ActorKind = ActorKind.SYSTEM,
    request_id: str = "",
    now: datetime,
) -> None:
    """Insert one event of the site. No scope is open: within one the login's own rights are gone.

    kind and data as in note_event. A tenant is named by its id, never by its slug or name.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tenants_note_site_event(%s, %s, %s, %s, %s, %s::uuid[], %s::jsonb)",
            [uuid7(), kind, now, str(actor), request_id, list(object_ids), json.dumps(dict(data or {}))],
        )
