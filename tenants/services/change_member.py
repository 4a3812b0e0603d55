"""Change a member: another role, or none any more."""

from datetime import datetime
from uuid import UUID

from tenants.models import Membership
from tenants.roles import Role
from tenants.scope import Ability, Scope
from tenants.services.note_event import EventData, note_event
from tenants.services.open_scope import open_scope


class LastOwner(Exception):
    """A tenant keeps at least one owner: make somebody else an owner first."""


def change_role(scope: Scope, membership_id: UUID, *, role: Role, now: datetime) -> None:
    """Give a member another role; the member's next request has it.

    Raises ScopeDenied, when the scope may not manage members; Membership.DoesNotExist; LastOwner.
    """
    scope.require(Ability.MEMBERS_MANAGE)
    with open_scope(scope):
        membership = _locked(membership_id)
        before = membership.role
        if before == role:
            return
        if before == Role.OWNER:
            _refuse_last_owner(membership)
        membership.role = role
        membership.save(update_fields=["role"])
        data: EventData = {"member_id": membership.user_id, "role": role, "role_before": before}
        note_event(scope, "member.changed", object_ids=[membership_id], data=data, now=now)


def remove_member(scope: Scope, membership_id: UUID, *, now: datetime) -> None:
    """Shut a member out; the user stays, for other tenants.

    Raises ScopeDenied, when the scope may not manage members; Membership.DoesNotExist; LastOwner.
    """
    scope.require(Ability.MEMBERS_MANAGE)
    with open_scope(scope):
        membership = _locked(membership_id)
        if membership.role == Role.OWNER:
            _refuse_last_owner(membership)
        data: EventData = {"member_id": membership.user_id, "role_before": membership.role}
        membership.delete()
        note_event(scope, "member.removed", object_ids=[membership_id], data=data, now=now)


def _locked(membership_id: UUID) -> Membership:
    """Return a membership, with all of the tenant's owners locked, so that two owners cannot remove each other."""
    list(Membership.objects.select_for_update().filter(role=Role.OWNER).order_by("id"))
    return Membership.objects.select_for_update().get(id=membership_id)


def _refuse_last_owner(membership: Membership) -> None:
    if not Membership.objects.filter(role=Role.OWNER).exclude(id=membership.id).exists():
        raise LastOwner
