"""Create a tenant, with its first key."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError

from backends.search import names
from tenants.ids import uuid7
from tenants.models import Tenant
from tenants.scope import Ability, ActorKind, Scope
from tenants.services.issue_key import IssuedKey, issue_key
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


class TenantExists(Exception):
    """A tenant with this slug exists already."""


def create_tenant(*, slug: str, name: str, now: datetime) -> IssuedKey:
    """Create a tenant and its first key, which may do all that agents do.

    Raises TenantExists, when the slug is taken.
    """
    scope = system_scope(uuid7())
    try:
        with open_scope(scope):
            tenant = Tenant.objects.create(id=scope.tenant_id, slug=slug, name=name or slug, created_at=now)
            note_event(scope, "tenant.created", object_ids=[tenant.id], now=now)
            return issue_key(scope, name="first key", now=now)
    except IntegrityError as error:
        if "slug" in str(error):
            raise TenantExists(slug) from error
        raise


def system_scope(tenant_id: UUID) -> Scope:
    """Return the scope of the operator at the command line, for one tenant."""
    return Scope(tenant_id=tenant_id, actor=ActorKind.SYSTEM, abilities=frozenset(Ability), kinds=names.KINDS)
