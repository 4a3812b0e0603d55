"""Describe the key behind a scope."""

from dataclasses import dataclass

from tenants.models import ApiKey, Tenant
from tenants.scope import Scope
from tenants.services.find_subject import find_subject
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedKey:
    """A key, its tenant, and the user it belongs to (None: every user of the tenant)."""

    key: ApiKey
    tenant: Tenant
    user_id: str | None


def describe_key(scope: Scope) -> DescribedKey:
    """Return the calling key with its tenant. Raises ApiKey.DoesNotExist, when the scope is not a key's."""
    with open_scope(scope):
        subject = find_subject(scope, None)
        return DescribedKey(
            key=ApiKey.objects.select_related("subject").get(id=scope.acting_key()),
            tenant=Tenant.objects.get(id=scope.tenant_id),
            user_id=subject.external_id if subject else None,
        )
