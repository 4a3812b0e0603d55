"""Authenticate: from an API key to a Scope, the one place where scopes of callers are made."""

import hashlib
import hmac
from datetime import datetime

from tenants.models import ApiKey
from tenants.scope import Ability, ActorKind, Scope
from tenants.services.issue_key import KEY_PATTERN


class KeyRefused(Exception):
    """The API key is unknown, expired or revoked."""


def authenticate(secret: str, *, request_id: str, now: datetime) -> Scope:
    """Return the scope of a live API key.

    Raises KeyRefused, when the key is malformed, unknown, expired or revoked; the answer does not say which.
    """
    match = KEY_PATTERN.fullmatch(secret)
    if match is None:
        raise KeyRefused
    found = list(ApiKey.objects.raw("SELECT * FROM tenants_find_key(%s)", [match["prefix"]]))
    if not found:
        raise KeyRefused
    key = found[0]
    digest = hashlib.sha256(secret.encode()).digest()
    if not hmac.compare_digest(digest, bytes(key.secret_hash)) or not is_live(key, now=now):
        raise KeyRefused
    return scope_of(key, request_id=request_id)


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
        request_id=request_id,
    )
