"""The engine credential of a scope: minted on first need, kept encrypted, renewed before it ends."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from backends.errors import BackendError, Unavailable
from backends.search import names
from backends.search.base import SearchEngine
from backends.search.reach import Credential, Reach
from tenants.hidden_fields import engine_fields
from tenants.ids import uuid7
from tenants.models import ApiKey, EngineCredential
from tenants.scope import Scope
from tenants.services.authenticate import KeyRefused
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

RENEW_BEFORE = timedelta(days=3)


def engine_credential(scope: Scope, engine: SearchEngine, *, now: datetime) -> Credential:
    """Return the credential with which a scope searches, minting it if it is missing, unreadable or about to end.

    The engine is asked outside any transaction. A key that was revoked meanwhile keeps no new credential.
    Raises KeyRefused, when the API key was revoked meanwhile; Unavailable, Rejected or Refused, as the engine's
    grant and revoke do.
    """
    with open_scope(scope):
        held = _find(scope, engine.name)
    kept = _readable(held)
    if kept is not None and kept.expires_at - RENEW_BEFORE > now:
        return kept
    row_id = uuid7()
    ends_at = now + timedelta(days=settings.ENGINE_CREDENTIAL_DAYS)
    minted = engine.grant(
        reach_of(scope), name=f"{names.CREDENTIAL_PREFIX}{scope.key_id}:{row_id}", expires_at=ends_at
    )
    try:
        return _keep(scope, engine, _row(scope, engine, row_id, minted, now=now), replaces=held)
    except BaseException as error:
        _revoke_unkept(engine, minted, error)
        raise


def held_credential(scope: Scope, engine: str, *, now: datetime) -> Credential | None:
    """Return the scope's credential for an engine by name, if there is one that serves. A scope is open that sees it.

    Without one, engine_credential makes it. Raises ScopeDenied, when no API key acts.
    """
    kept = _readable(_find(scope, engine))
    return kept if kept is not None and kept.expires_at - RENEW_BEFORE > now else None


def forget_credential(scope: Scope, engine: SearchEngine) -> None:
    """Drop the scope's credential if the engine no longer knows it, so that the next use mints a new one.

    One that another request has put in its place meanwhile stays. Raises Unavailable, when the engine is away.
    """
    with open_scope(scope):
        held = _find(scope, engine.name)
    if held is not None and engine.reach_of(held.engine_id) is None:
        with open_scope(scope):
            EngineCredential.objects.filter(id=held.id, engine_id=held.engine_id).delete()


def reach_of(scope: Scope) -> Reach:
    """Return what an engine may show to a scope."""
    return Reach(
        tenant_id=scope.tenant_id,
        subject_id=scope.subject_id,
        kinds=scope.kinds,
        compartments=scope.compartments,
        hidden_fields=engine_fields(scope.hidden_fields),
    )


def _row(scope: Scope, engine: SearchEngine, row_id: UUID, minted: Credential, *, now: datetime) -> EngineCredential:
    return EngineCredential(
        id=row_id,
        tenant_id=scope.tenant_id,
        api_key_id=scope.acting_key(),
        subject_id=scope.subject_id,
        engine=engine.name,
        engine_id=minted.id,
        secret=_cipher().encrypt(minted.secret.encode()),
        created_at=now,
        expires_at=minted.expires_at,
    )


def _keep(
    scope: Scope, engine: SearchEngine, row: EngineCredential, *, replaces: EngineCredential | None
) -> Credential:
    """Store a minted credential and return it, or the one of whoever was quicker.

    1. The engine confirms that the old one is revoked; only then its row may leave.
    2. The new row takes its place. The lock on the key puts that before or after a revocation, never beside it.
    """
    if replaces is not None:
        engine.revoke([replaces.engine_id])
    with open_scope(scope):
        key = ApiKey.objects.select_for_update(no_key=True).filter(id=scope.acting_key()).first()
        if replaces is not None:
            replaces.delete()
        if key is not None and key.revoked_at is None:
            EngineCredential.objects.bulk_create([row], ignore_conflicts=True)
        held = _find(scope, engine.name)
    if held is None:
        raise KeyRefused
    kept = _readable(held)
    if kept is None:
        raise Unavailable("another process encrypts engine credentials with a key that is not in ENGINE_KEYS here")
    if held.id != row.id:
        engine.revoke([row.engine_id])
    return kept


def _revoke_unkept(engine: SearchEngine, minted: Credential, error: BaseException) -> None:
    """Revoke what was minted and is kept nowhere; if the engine does not, the first error stays the one reported."""
    try:
        engine.revoke([minted.id])
    except BackendError as failure:
        log.error("engine credential %s is kept nowhere and not revoked: %s", minted.id, type(failure).__name__)
        error.add_note(f"engine credential {minted.id} could not be revoked: {type(failure).__name__}")


def _find(scope: Scope, engine: str) -> EngineCredential | None:
    of_key = EngineCredential.objects.filter(api_key_id=scope.acting_key(), engine=engine)
    own = (
        of_key.filter(subject_id__isnull=True)
        if scope.subject_id is None
        else of_key.filter(subject_id=scope.subject_id)
    )
    return next(iter(own), None)  # one at most: `first` would sort them


def _readable(row: EngineCredential | None) -> Credential | None:
    """Return the credential in a row; None without a row, or if ENGINE_KEYS no longer has what encrypted it."""
    if row is None:
        return None
    try:
        secret = _cipher().decrypt(bytes(row.secret)).decode()
    except InvalidToken:
        log.warning("engine credential %s cannot be decrypted by any of ENGINE_KEYS", row.engine_id)
        return None
    return Credential(id=row.engine_id, secret=secret, expires_at=row.expires_at)


def _cipher() -> MultiFernet:
    """Return the cipher of engine secrets: the first of ENGINE_KEYS encrypts, all decrypt."""
    return MultiFernet([Fernet(key) for key in settings.ENGINE_KEYS])
