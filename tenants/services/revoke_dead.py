"""Revoke what an engine still holds for keys that ended: what revoke_key could not finish, and keys that expired."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from backends.search.base import SearchEngine
from tenants.models import ApiKey, EngineCredential
from tenants.services.open_scope import open_operator

BATCH = 500


def revoke_dead(engine: SearchEngine, *, now: datetime) -> int:
    """Revoke a batch of this engine's credentials of ended keys, and return how many there were.

    Rows leave only when the engine has confirmed. Only the worker's login may. Raises as the engine's revoke does.
    """
    ended = ApiKey.objects.filter(Q(revoked_at__isnull=False) | Q(expires_at__lte=now), id=OuterRef("api_key_id"))
    with open_operator():
        rows = EngineCredential.objects.filter(Exists(ended), engine=engine.name).order_by("id")
        held = list(rows.values_list("id", "engine_id")[:BATCH])
    if held:
        engine.revoke([engine_id for _, engine_id in held])
        with open_operator():
            EngineCredential.objects.filter(id__in=[row_id for row_id, _ in held]).delete()
    return len(held)
