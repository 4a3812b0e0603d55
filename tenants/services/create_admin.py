"""Create an admin: a superuser of the admin's pages, with memberships, from the command line."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from tenants.models import Membership
from tenants.roles import Role
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import EventData, note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_scope


class UserExists(Exception):
    """There is a user of this name already."""


def create_admin(
    username: str, *, tenant_ids: Sequence[UUID], role: Role, replace_password: bool, now: datetime
) -> str:
    """Make a superuser and its memberships, and return its password, which is kept nowhere.

    replace_password: give a user who is there a new password, and the memberships it lacks.
    A superuser may create tenants; what it sees of one, it sees by its membership.
    Raises UserExists.
    """
    password = secrets.token_urlsafe(18)
    with transaction.atomic():
        user = User.objects.filter(username=username).first()
        if user is None:
            user = User.objects.create_superuser(username, password=password)
        elif replace_password:
            user.set_password(password)
            user.save(update_fields=["password"])
        else:
            raise UserExists(username)
        data: EventData = {"staff_id": user.pk, "password_replaced": replace_password}
        note_site_event("staff.created", data=data, now=now)
    for tenant_id in tenant_ids:
        _join(tenant_id, user.pk, role=role, now=now)
    return password


def _join(tenant_id: UUID, staff_id: int, *, role: Role, now: datetime) -> None:
    scope = system_scope(tenant_id)
    with open_scope(scope):
        membership, made = Membership.objects.get_or_create(
            tenant_id=tenant_id, user_id=staff_id, defaults={"role": role, "created_at": now}
        )
        if made:
            given: EventData = {"member_id": staff_id, "role": role}
            note_event(scope, "member.added", object_ids=[membership.id], data=given, now=now)
