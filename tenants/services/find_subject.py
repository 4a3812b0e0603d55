"""Find or make the subject that a request names by user_id."""

from datetime import datetime

from tenants.models import Subject
from tenants.scope import Scope, ScopeDenied
from tenants.services.authenticate import KeyRefused


def find_subject(scope: Scope, user_id: str | None) -> Subject | None:
    """Return the subject a request is about: the one named, else the key's own, else None. The scope is open.

    Raises ScopeDenied, when the key belongs to one user and another is named, whether or not that one exists.
    Raises Subject.DoesNotExist, when the tenant has no such user yet; KeyRefused, when the key's own user is erased.
    """
    if scope.subject_id is not None:
        own = Subject.objects.filter(id=scope.subject_id).first()
        if own is None:
            raise KeyRefused  # erased since the key was looked up
        if user_id is not None and user_id != own.external_id:
            raise ScopeDenied("user_id: the key belongs to one user; leave user_id out")
        return own
    if user_id is None:
        return None
    return Subject.objects.get(tenant_id=scope.tenant_id, external_id=user_id)


def find_or_make_subject(scope: Scope, user_id: str | None, *, now: datetime) -> tuple[Subject | None, bool]:
    """Return the subject as find_subject does, made if the tenant has no such user, and whether it was made."""
    try:
        return find_subject(scope, user_id), False
    except Subject.DoesNotExist:
        pass
    made = Subject(tenant_id=scope.tenant_id, external_id=user_id or "", created_at=now)
    Subject.objects.bulk_create([made], ignore_conflicts=True)
    found = find_subject(scope, user_id)
    return found, found is not None and found.id == made.id  # another request may have made it meanwhile
