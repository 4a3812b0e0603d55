"""The rows that a list for one user holds."""

from typing import Any

from django.db.models import Q, QuerySet

from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.find_subject import find_subject


def of_user(scope: Scope, rows: "QuerySet[Any]", user_id: str | None) -> "QuerySet[Any]":
    """Return a user's own and the shared rows; all of the scope's without a user; the shared ones of an unknown user.

    The scope is open. Raises ScopeDenied, when the key belongs to another user than the one named.
    """
    try:
        subject = find_subject(scope, user_id)
    except Subject.DoesNotExist:
        return rows.filter(subject_id__isnull=True)
    if subject is None:
        return rows
    return rows.filter(Q(subject_id=subject.id) | Q(subject_id__isnull=True))
