"""The engine credential of a scope: minted on first need, kept encrypted, renewed before it ends."""

from datetime import datetime, timedelta

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import IntegrityError

from backends.search.base import Credential, Reach, SearchEngine
from tenants.ids import uuid7
from tenants.models import ApiKey, EngineCredential
from tenants.scope import Scope
from tenants.services.authenticate import KeyRefused
from tenants.services.open_scope import open_scope

RENEW_BEFORE = timedelta(days=3)


def engine_credential(scope: Scope, engine: SearchEngine, *, now: datetime) -> Credential:
    """Return the credential with which a scope searches, minting it if it is missing or about to end.

    The engine is asked outside any transaction. A key that was revoked meanwhile keeps no new credential.
    Raises KeyRefused, when the API key was revoked meanwhile; Unavailable, Rejected or Refused, as the engine's
    grant does.
    """
    with open_scope(scope):
        held = _find(scope, engine)
    if held is not None and held.expires_at - RENEW_BEFORE > now:
        return _decrypted(held)
    row_id = uuid7()
    ends_at = now + timedelta(days=settings.ENGINE_CREDENTIAL_DAYS)
    minted = engine.grant(reach_of(scope), name=f"mneme:{scope.key_id}:{row_id}", expires_at=ends_at)
    row = EngineCredential(
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
    return _keep(scope, engine, row, replaces=held)


def forget_credential(scope: Scope, engine: SearchEngine) -> None:
    """Drop a credential that the engine no longer knows, so that the next use mints a new one."""
    with open_scope(scope):
        held = _find(scope, engine)
        if held is not None:
            held.delete()


def reach_of(scope: Scope) -> Reach:
    """Return what an engine may show to a scope."""
    return Reach(
        tenant_id=scope.tenant_id,
        subject_id=scope.subject_id,
        kinds=scope.kinds,
        compartments=scope.compartments,
    )


def _keep(
    scope: Scope, engine: SearchEngine, row: EngineCredential, *, replaces: EngineCredential | None
) -> Credential:
    """Store a minted credential, or revoke it where another was quicker or the key is gone."""
    try:
        with open_scope(scope):
            # The lock puts this before or after a revocation, never beside it.
            key = ApiKey.objects.select_for_update(no_key=True).get(id=scope.acting_key())
            live = key.revoked_at is None
            if replaces is not None:
                replaces.delete()
            if live:
                row.save(force_insert=True)
    except IntegrityError:
        engine.revoke([row.engine_id])
        with open_scope(scope):
            held = _find(scope, engine)
        if held is None:
            raise KeyRefused from None
        return _decrypted(held)
    outdated = [replaces.engine_id] if replaces is not None else []
    if not live:
        outdated.append(row.engine_id)
    if outdated:
        engine.revoke(outdated)
    if not live:
        raise KeyRefused
    return _decrypted(row)


def _find(scope: Scope, engine: SearchEngine) -> EngineCredential | None:
    of_key = EngineCredential.objects.filter(api_key_id=scope.acting_key(), engine=engine.name)
    if scope.subject_id is None:
        return of_key.filter(subject_id__isnull=True).first()
    return of_key.filter(subject_id=scope.subject_id).first()


def _decrypted(row: EngineCredential) -> Credential:
    secret = _cipher().decrypt(bytes(row.secret)).decode()
    return Credential(id=row.engine_id, secret=secret, expires_at=row.expires_at)


def _cipher() -> MultiFernet:
    """Return the cipher of engine secrets: the first of ENGINE_KEYS encrypts, all decrypt."""
    return MultiFernet([Fernet(key) for key in settings.ENGINE_KEYS])
