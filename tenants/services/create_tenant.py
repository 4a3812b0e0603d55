"""Create a tenant, with its first key."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from backends.search import names
from tenants.ids import uuid7
from tenants.models import Membership, Tenant
from tenants.roles import Role
from tenants.scope import Ability, ActorKind, Scope
from tenants.services.issue_key import AGENT_ABILITIES, IssuedKey, issue_key
from tenants.services.member_scope import staff_scope
from tenants.services.note_event import note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_scope
from tenants.services.seed_templates import seed_templates


class TenantExists(Exception):
    """A tenant with this slug exists already."""


def create_tenant(
    *,
    slug: str,
    name: str,
    abilities: Sequence[Ability] = AGENT_ABILITIES,
    founder_id: int | None = None,
    request_id: str = "",
    now: datetime,
) -> IssuedKey:
    """Create a tenant and its first key, which may do all that agents do unless other abilities are named.

    founder_id: the user of the admin who makes it and becomes its owner; None at the command line.
    Raises TenantExists, when the slug is taken.
    """
    tenant_id = uuid7()
    scope = system_scope(tenant_id)
    if founder_id is not None:
        scope = staff_scope(tenant_id, founder_id, role=Role.OWNER, request_id=request_id)
    try:
        with transaction.atomic():
            issued = _create(scope, slug=slug, name=name, abilities=abilities, now=now)
            note_site_event(
                "tenant.created",
                object_ids=[tenant_id],
                data={"staff_id": founder_id},
                actor=scope.actor,
                request_id=request_id,
                now=now,
            )
            return issued
    except IntegrityError as error:
        if "slug" in str(error):
            raise TenantExists(slug) from error
        raise


def _create(scope: Scope, *, slug: str, name: str, abilities: Sequence[Ability], now: datetime) -> IssuedKey:
    with open_scope(scope):
        tenant_id = scope.tenant_id
        Tenant.objects.create(id=tenant_id, slug=slug, name=name or slug, created_at=now)
        note_event(scope, "tenant.created", object_ids=[tenant_id], now=now)
        seed_templates(tenant_id, now=now)
        if scope.staff_id is not None:
            Membership.objects.create(tenant_id=tenant_id, user_id=scope.staff_id, role=Role.OWNER, created_at=now)
        return issue_key(scope, name="first key", abilities=abilities, now=now)


def system_scope(tenant_id: UUID) -> Scope:
    """Return the scope of the operator at the command line, for one tenant."""
    return Scope(tenant_id=tenant_id, actor=ActorKind.SYSTEM, abilities=frozenset(Ability), kinds=names.KINDS)
