"""Lock the key that acts: what it gives to others is given while it is live, or not at all."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from tenants.models import ApiKey
from tenants.scope import Scope, ScopeDenied


def lock_actor(scope: Scope, *, also: Sequence[UUID] = (), now: datetime) -> None:
    """Hold the acting key's row until the scope closes; a revocation that has begun is waited for. The scope is open.

    Without it a key could outlive its revocation by what a request under way still issues.
    also: other keys that are to be locked; all in one order, so that two that rotate each other never wait in a
    circle. Raises ScopeDenied, when the key was revoked or has expired since it was admitted.
    """
    if scope.key_id is None and not also:
        return
    wanted = {*also, *([scope.key_id] if scope.key_id else [])}
    # The condition is looked at again once the lock is held.
    live = Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))
    locked = ApiKey.objects.select_for_update(no_key=True).filter(~Q(id=scope.key_id) | live, id__in=wanted)
    held = {key.id for key in locked.only("id").order_by("id")}
    if scope.key_id is not None and scope.key_id not in held:
        raise ScopeDenied("the key was revoked, or has expired, since this request began")
