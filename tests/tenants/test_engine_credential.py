"""Engine credentials: whatever happens, none lives that no row remembers, and no row leaves before its credential."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from cryptography.fernet import Fernet
from django.utils import timezone

from backends.errors import Unavailable
from backends.search.postgres.engine import PostgresEngine
from backends.search.reach import Credential, Reach
from memories.services.engine import search_engine
from tenants.models import EngineCredential
from tenants.services.authenticate import KeyRefused
from tenants.services.engine_credential import engine_credential, forget_credential
from tenants.services.open_scope import open_scope
from tests.conftest import Caller
from tests.plugin import DATABASE, database_url

LATER = timedelta(days=28)
"""When a credential of 30 days is renewed."""


class AwayOnce(PostgresEngine):
    """The real engine, but the connection breaks before its first revocation."""

    broke = False

    def revoke(self, credential_ids: Sequence[str]) -> None:
        if not self.broke:
            self.broke = True
            raise Unavailable("the connection broke")
        super().revoke(credential_ids)


class KeyGoesMeanwhile(PostgresEngine):
    """The real engine; while it mints, somebody removes the API key."""

    superuser_dsn: str

    def grant(self, reach: Reach, *, name: str, expires_at: datetime) -> Credential:
        granted = super().grant(reach, name=name, expires_at=expires_at)
        with psycopg.connect(self.superuser_dsn, dbname=DATABASE, autocommit=True) as superuser:
            superuser.execute("DELETE FROM tenants_apikey")
        return granted


def rows(caller: Caller) -> list[str]:
    with open_scope(caller.system):
        return list(EngineCredential.objects.values_list("engine_id", flat=True))


def living(superuser_dsn: str) -> list[str]:
    with psycopg.connect(superuser_dsn, dbname=DATABASE) as superuser:
        return [str(row[0]) for row in superuser.execute("SELECT id FROM engine.credential").fetchall()]


def test_a_credential_that_the_engine_knows_is_not_forgotten(acme: Caller) -> None:
    engine, now = search_engine(), timezone.now()
    held = engine_credential(acme.scope, engine, now=now)
    forget_credential(acme.scope, engine)
    assert rows(acme) == [held.id]
    engine.revoke([held.id])
    forget_credential(acme.scope, engine)
    assert rows(acme) == []
    assert engine_credential(acme.scope, engine, now=now).id != held.id


def test_a_renewed_credential_replaces_the_old_one_there_and_here(acme: Caller, superuser_dsn: str) -> None:
    now = timezone.now()
    old = engine_credential(acme.scope, search_engine(), now=now)
    new = engine_credential(acme.scope, search_engine(), now=now + LATER)
    assert old.id != new.id
    assert rows(acme) == living(superuser_dsn) == [new.id]


def test_the_old_row_stays_until_its_revocation_is_confirmed(acme: Caller, superuser_dsn: str) -> None:
    now = timezone.now()
    old = engine_credential(acme.scope, search_engine(), now=now)
    engine = AwayOnce(database_url("mneme_web"))
    try:
        with pytest.raises(Unavailable, match="broke"):
            engine_credential(acme.scope, engine, now=now + LATER)
        assert rows(acme) == living(superuser_dsn) == [old.id]
        new = engine_credential(acme.scope, engine, now=now + LATER)
    finally:
        engine.close()
    assert rows(acme) == living(superuser_dsn) == [new.id]


def test_a_key_that_is_gone_meanwhile_keeps_no_credential(acme: Caller, superuser_dsn: str) -> None:
    engine = KeyGoesMeanwhile(database_url("mneme_web"))
    engine.superuser_dsn = superuser_dsn
    try:
        with pytest.raises(KeyRefused):
            engine_credential(acme.scope, engine, now=timezone.now())
    finally:
        engine.close()
    assert living(superuser_dsn) == []


def test_a_secret_that_nobody_can_decrypt_is_minted_anew(acme: Caller, superuser_dsn: str, settings: Any) -> None:
    now = timezone.now()
    old = engine_credential(acme.scope, search_engine(), now=now)
    settings.ENGINE_KEYS = [Fernet.generate_key().decode()]
    new = engine_credential(acme.scope, search_engine(), now=now)
    assert new.id != old.id
    assert rows(acme) == living(superuser_dsn) == [new.id]
    acme.turn("the otter is called Bramble")
    assert acme.recall("otter")["degraded"] == []
