"""Manageable: the keys that a scope may look at, rotate and revoke."""

from django.db.models import QuerySet

from tenants.models import ApiKey
from tenants.scope import Scope


def manageable_keys(scope: Scope) -> QuerySet[ApiKey]:
    """Return the tenant's keys, or, in a scope of one user, that user's. The scope is open."""
    keys = ApiKey.objects.filter(tenant_id=scope.tenant_id)
    return keys if scope.subject_id is None else keys.filter(subject_id=scope.subject_id)
