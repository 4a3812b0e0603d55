"""From a membership to a Scope: the one place where scopes of the admin's users are made."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from backends.search import names
from tenants.roles import ABILITIES, Role
from tenants.scope import ActorKind, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A tenant that a user may enter, and as what."""

    membership_id: UUID
    tenant_id: UUID
    staff_id: int
    role: Role
    slug: str
    name: str
    suspended_at: datetime | None = None


def places_of(staff_id: int) -> list[Place]:
    """Return the tenants a user is a member of, by slug; no scope is open, for it would not know the tenant yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, tenant_id, user_id, role, slug, name, suspended_at FROM tenants_find_memberships(%s)",
            [staff_id],
        )
        return [
            Place(
                membership_id=row[0],
                tenant_id=row[1],
                staff_id=row[2],
                role=Role(row[3]),
                slug=row[4],
                name=row[5],
                suspended_at=row[6],
            )
            for row in cursor.fetchall()
        ]


def member_scope(place: Place, *, request_id: str) -> Scope:
    """Return what a member may do in a tenant, as a scope."""
    return staff_scope(place.tenant_id, place.staff_id, role=place.role, request_id=request_id)


def staff_scope(tenant_id: UUID, staff_id: int, *, role: Role, request_id: str) -> Scope:
    """Return the scope of a user in a role; the caller knows that the user has it."""
    return Scope(
        tenant_id=tenant_id,
        actor=ActorKind.USER,
        staff_id=staff_id,
        abilities=ABILITIES[role],
        kinds=names.KINDS,
        request_id=request_id,
    )
