"""List and get subjects."""

from uuid import UUID

from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


def list_subjects(scope: Scope, *, user_id: str | None, before: UUID | None, limit: int) -> list[Subject]:
    """Return the scope's subjects, newest first; before: the last id of the page before."""
    with open_scope(scope):
        rows = Subject.objects.order_by("-id")
        if user_id is not None:
            rows = rows.filter(external_id=user_id)
        if before is not None:
            rows = rows.filter(id__lt=before)
        return list(rows[:limit])


def get_subject(scope: Scope, subject_id: UUID) -> Subject:
    """Return a subject of the scope. Raises Subject.DoesNotExist."""
    with open_scope(scope):
        return Subject.objects.get(id=subject_id)
