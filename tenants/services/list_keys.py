"""List keys."""

from uuid import UUID

from tenants.models import ApiKey
from tenants.scope import Ability, Scope
from tenants.services.manageable import manageable_keys
from tenants.services.open_scope import open_scope


def list_keys(scope: Scope, *, user_id: str | None, before: UUID | None, limit: int) -> list[ApiKey]:
    """Return the keys that the scope may manage, newest first, revoked and expired ones included.

    user_id: only those of this user. before: the last id of the page before.
    """
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        keys = manageable_keys(scope).defer("secret_hash").select_related("subject").order_by("-id")
        if user_id is not None:
            keys = keys.filter(subject__external_id=user_id)
        if before is not None:
            keys = keys.filter(id__lt=before)
        return list(keys[:limit])


def get_key(scope: Scope, key_id: UUID) -> ApiKey:
    """Return one of them. Raises ApiKey.DoesNotExist."""
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        return manageable_keys(scope).defer("secret_hash").select_related("subject").get(id=key_id)
