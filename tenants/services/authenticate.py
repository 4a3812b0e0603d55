"""Authenticate: from an API key to a Scope, the one place where scopes of callers are made."""

import hashlib
import hmac
from datetime import datetime

from tenants.models import ApiKey
from tenants.scope import Ability, ActorKind, Quotas, Scope
from tenants.services.issue_key import KEY_PATTERN

_FIND = "SELECT *, tenants_suspended_at(tenant_id) AS suspended_at FROM tenants_find_key(%s)"


class KeyRefused(Exception):
    """The API key is unknown, expired or revoked.

    reason: why, for the event log; callers are never told. key: the row with this prefix, if there is one.
    """

    def __init__(self, reason: str = "gone", key: ApiKey | None = None) -> None:
        super().__init__()
        self.reason, self.key = reason, key


class TenantSuspended(Exception):
    """The tenant of this key is suspended; ask the operator of this site."""

    def __init__(self, key: ApiKey) -> None:
        super().__init__("The tenant of this key is suspended; ask the operator of this site.")
        self.key = key


def authenticate(secret: str, *, request_id: str, now: datetime) -> tuple[Scope, ApiKey]:
    """Return the scope of a live API key, and the key.

    Raises KeyRefused, when the key is malformed, unknown, expired or revoked; the answer does not say which.
    Raises TenantSuspended, when it is live but its tenant is not.
    """
    match = KEY_PATTERN.fullmatch(secret)
    if match is None:
        raise KeyRefused("malformed")
    found = list(ApiKey.objects.raw(_FIND, [match["prefix"]]))
    if not found:
        raise KeyRefused("unknown")
    key = found[0]
    digest = hashlib.sha256(secret.encode()).digest()
    if not hmac.compare_digest(digest, bytes(key.secret_hash)):
        raise KeyRefused("wrong_secret", key)
    if not is_live(key, now=now):
        raise KeyRefused("revoked" if key.revoked_at is not None else "expired", key)
    if key.suspended_at is not None:  # type: ignore[attr-defined]
        raise TenantSuspended(key)
    return scope_of(key, request_id=request_id), key


def is_live(key: ApiKey, *, now: datetime) -> bool:
    """Say whether a key is neither revoked nor expired."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)


def scope_of(key: ApiKey, *, request_id: str) -> Scope:
    """Return what a key may do, as a scope."""
    return Scope(
        tenant_id=key.tenant_id,
        subject_id=key.subject_id,
        actor=ActorKind.KEY,
        key_id=key.id,
        abilities=frozenset(Ability(value) for value in key.abilities),
        kinds=tuple(key.kinds),
        compartments=tuple(key.compartments),
        hidden_fields=tuple(key.hidden_fields),
        purpose=key.purpose,
        quotas=quotas_of(key),
        request_id=request_id,
    )


def quotas_of(key: ApiKey) -> Quotas:
    """Return how much a key may do."""
    return Quotas(
        requests_a_minute=key.requests_a_minute,
        turns_a_day=key.turns_a_day,
        recalls_a_minute=key.recalls_a_minute,
    )
