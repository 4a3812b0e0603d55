"""The subject a write is about, made on first sight."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.services.wake import wake
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.find_subject import find_or_make_subject


def ensure_subject(scope: Scope, user_id: str | None, *, now: datetime) -> Subject | None:
    """Return the subject of a write, None for what is shared; a new one's engine credentials are minted soon.

    The scope is open. Raises ScopeDenied, when the key belongs to another user.
    """
    subject, made = find_or_make_subject(scope, user_id, now=now)
    if made and subject is not None:
        _wake_provision(scope.tenant_id, subject.id)
    return subject


def _wake_provision(tenant_id: UUID, subject_id: UUID) -> None:
    transaction.on_commit(lambda: wake("memories.provision", tenant_id=str(tenant_id), subject_id=str(subject_id)))
