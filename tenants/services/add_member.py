"""Add a member: let a user of the admin into the tenant, making the user where there is none."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from tenants.models import Membership
from tenants.roles import Role
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


class AlreadyMember(Exception):
    """The user is a member of the tenant already."""


class UserInactive(Exception):
    """The user may not sign in any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedMember:
    """A new membership. password: of a user made for it, kept nowhere; None for a user who was there."""

    membership: Membership
    password: str | None


def add_member(scope: Scope, username: str, *, role: Role, now: datetime) -> AddedMember:
    """Add a user to the scope's tenant. No scope is open: the users' table is none of a tenant's.

    Raises ScopeDenied, when the scope may not manage members; AlreadyMember; UserInactive.
    """
    scope.require(Ability.MEMBERS_MANAGE)
    user, password = _find_or_make_user(username)
    if not (user.is_active and user.is_staff):
        raise UserInactive
    membership = Membership(tenant_id=scope.tenant_id, user_id=user.pk, role=role, created_at=now)
    try:
        with open_scope(scope):
            membership.save(force_insert=True)
            note_event(
                scope,
                "member.added",
                object_ids=[membership.id],
                data={"member_id": user.pk, "role": role, "user_created": password is not None},
                now=now,
            )
    except IntegrityError as error:
        if "one_membership_a_user" in str(error):
            raise AlreadyMember from error
        raise
    return AddedMember(membership=membership, password=password)


def _find_or_make_user(username: str) -> tuple[User, str | None]:
    """Return the user of a name, made if there is none, and the password made for it."""
    found = User.objects.filter(username=username).first()
    if found is not None:
        return found, None
    password = secrets.token_urlsafe(18)
    try:
        with transaction.atomic():
            return User.objects.create_user(username, password=password, is_staff=True), password
    except IntegrityError:  # another request made it meanwhile
        return User.objects.get(username=username), None
