"""Find an API key by id."""

from uuid import UUID

from tenants.models import ApiKey
from tenants.scope import Scope
from tenants.services.manageable import manageable_keys
from tenants.services.open_scope import open_scope


def find_key(scope: Scope, key_id: UUID) -> ApiKey:
    """Return a key of the scope's tenant; raise ApiKey.DoesNotExist, when it has none of that id."""
    with open_scope(scope):
        return manageable_keys(scope).defer("secret_hash").get(id=key_id)
