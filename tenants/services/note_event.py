"""Note an event in the log, inside the writer's transaction."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tenants.models import Event, Subject
from tenants.scope import Scope

EventData = Mapping[str, str | int | float | bool | Sequence[str] | None]


def note_event(
    scope: Scope,
    kind: str,
    *,
    object_ids: Sequence[UUID] = (),
    subject: Subject | None = None,
    data: EventData | None = None,
    now: datetime,
) -> Event:
    """Insert one event and return it; the caller has the scope open.

    kind: noun.verb. data: counts, scores, states and reason codes; never personal text.
    subject: named only by pseudonym, HMAC-SHA-256 of its id under its own key.
    A user of the admin is noted in data as staff_id, the id of the login and not its name.
    """
    noted = dict(data or {})
    if scope.staff_id is not None:
        noted["staff_id"] = scope.staff_id
    return Event.objects.create(
        tenant_id=scope.tenant_id,
        kind=kind,
        at=now,
        actor=scope.actor,
        key_id=scope.key_id,
        request_id=scope.request_id,
        purpose=scope.purpose,
        object_ids=list(object_ids),
        subject_pseudonym=pseudonym(subject) if subject else None,
        data=noted,
    )


def pseudonym(subject: Subject) -> bytes:
    """Return the name a subject has in the event log: 32 bytes, meaningless once its key is gone."""
    return hmac.digest(bytes(subject.pseudonym_key), subject.id.bytes, hashlib.sha256)
