"""Revoke an API key: refused here at once, then by the engine."""

from datetime import datetime
from uuid import UUID

from backends.search.base import SearchEngine
from tenants.models import EngineCredential
from tenants.scope import Ability, Scope
from tenants.services.manageable import manageable_keys
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def revoke_key(scope: Scope, key_id: UUID, *, engine: SearchEngine, now: datetime) -> list[str]:
    """Revoke a key and what this engine minted for it; may be called again after a failure.

    1. The site refuses the key from the commit on, and no new credential can be kept for it.
    2. The engine revokes what it minted; its rows leave only when it has confirmed.
    What another engine minted lives there to its end and its rows stay, so that a call under that engine finds them;
    only this site's own processes ever held those secrets.
    Returns the names of the engines that still hold credentials of the key.
    Raises ApiKey.DoesNotExist, when the tenant has no such key; Unavailable, when the engine did not confirm.
    """
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        key = manageable_keys(scope).select_for_update(no_key=True).get(id=key_id)
        if key.revoked_at is None:
            key.revoked_at = now
            key.save(update_fields=["revoked_at"])
            note_event(scope, "key.revoked", object_ids=[key.id], now=now)
        held = list(EngineCredential.objects.filter(api_key_id=key_id, engine=engine.name))
    engine.revoke([credential.engine_id for credential in held])
    with open_scope(scope):
        EngineCredential.objects.filter(id__in=[credential.id for credential in held]).delete()
        left = EngineCredential.objects.filter(api_key_id=key_id).exclude(engine=engine.name)
        return sorted(set(left.values_list("engine", flat=True)))
