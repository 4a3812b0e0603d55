"""Issue or rotate a key once for an Idempotency-Key: the key's id is remembered, its secret is not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from backends.search.base import SearchEngine
from memories.services.idempotency import AnswerGone, Idempotency, remember, replayed_ids
from tenants.models import ApiKey
from tenants.scope import Ability, Scope
from tenants.services.issue_from import Wanted, issue_from
from tenants.services.manageable import manageable_keys
from tenants.services.open_scope import open_scope
from tenants.services.rotate_key import end_old_key, replace_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Once:
    """A key. secret: None when an earlier request with the same Idempotency-Key made it."""

    key: ApiKey
    secret: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RotatedOnce(Once):
    """A key in place of another. engine_confirmed: as in rotate_key."""

    old_ends_at: datetime | None
    engine_confirmed: bool


def issue_once(scope: Scope, wanted: Wanted, *, idempotency: Idempotency | None, now: datetime) -> Once:
    """Issue a key. Raises as issue_from does; KeyReused; AnswerGone, when the key was erased with its user since."""
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        made = replayed_ids(scope, idempotency, now=now)
        if made is not None:
            return Once(key=_found(scope, made), secret=None)
        issued = issue_from(scope, wanted, now=now)
        remember(scope, idempotency, [issued.key.id])
    return Once(key=issued.key, secret=issued.secret)


def rotate_once(
    scope: Scope,
    key_id: UUID,
    *,
    overlap: timedelta,
    idempotency: Idempotency | None,
    engine: SearchEngine,
    now: datetime,
) -> RotatedOnce:
    """Rotate a key. Raises as replace_key does; KeyReused; AnswerGone."""
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        made = replayed_ids(scope, idempotency, now=now)
        if made is None:
            issued, ends_at = replace_key(scope, key_id, overlap=overlap, now=now)
            once = Once(key=issued.key, secret=issued.secret)
            remember(scope, idempotency, [issued.key.id])
        else:
            once = Once(key=_found(scope, made), secret=None)
            ends_at = manageable_keys(scope).get(id=key_id).expires_at or now
    confirmed = bool(overlap) or end_old_key(scope, key_id, engine=engine, now=now)
    return RotatedOnce(key=once.key, secret=once.secret, old_ends_at=ends_at, engine_confirmed=confirmed)


def _found(scope: Scope, ids: Sequence[UUID]) -> ApiKey:
    key = manageable_keys(scope).select_related("subject").filter(id__in=ids).first()
    if key is None:
        raise AnswerGone("the key that this Idempotency-Key made is gone")
    return key
