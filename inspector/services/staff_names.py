"""The names of the staff who did something, for staff: an event itself holds no more than the id of a login."""

from collections.abc import Collection

from django.contrib.auth import get_user_model

from tenants.models import Membership
from tenants.scope import ActorKind, Scope
from tenants.services.open_scope import open_scope


def staff_names(scope: Scope, staff_ids: Collection[int]) -> dict[int, str]:
    """Return the names of those who are members of the tenant now, by id; none for an API key. No scope is open.

    Members see one another in the admin as well. The table of logins is no tenant's, so it is read outside a scope.
    """
    if scope.actor is not ActorKind.USER or not staff_ids:
        return {}
    with open_scope(scope):
        members = Membership.objects.filter(tenant_id=scope.tenant_id, user_id__in=staff_ids)
        known = list(members.values_list("user_id", flat=True))
    users = get_user_model().objects.filter(pk__in=known)
    return {user.pk: user.get_username() for user in users}
