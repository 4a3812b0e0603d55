"""Issue an API key; its secret exists once, in the answer."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import regex
from django.db import IntegrityError

from backends.search import names
from tenants.ids import uuid7
from tenants.models import ApiKey, Subject
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

KEY_PATTERN = regex.compile(r"mneme_(?P<prefix>[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
AGENT_ABILITIES = (
    Ability.TURNS_WRITE,
    Ability.MEMORIES_READ,
    Ability.MEMORIES_WRITE,
    Ability.PROVENANCE_READ,
)


KEY_ABILITIES = tuple(ability for ability in Ability if ability is not Ability.MEMBERS_MANAGE)


class AlreadyIssued(Exception):
    """A key was issued under this id already; its secret is not shown again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedKey:
    """A new key and its secret, which is kept nowhere."""

    key: ApiKey
    secret: str


def issue_key(
    scope: Scope,
    *,
    name: str,
    subject: Subject | None = None,
    abilities: Sequence[Ability] = AGENT_ABILITIES,
    kinds: Sequence[str] = names.KINDS,
    compartments: Sequence[str] = (),
    hidden_fields: Sequence[str] = (),
    purpose: str = "",
    expires_at: datetime | None = None,
    key_id: UUID | None = None,
    now: datetime,
) -> IssuedKey:
    """Create a key of the scope's tenant, or of one subject of it.

    key_id: the new key's id where the caller chose it, so that a form sent twice issues one key.
    Raises ScopeDenied, when the scope may not manage keys or lacks an ability it would give; AlreadyIssued.
    """
    scope.require(Ability.KEYS_MANAGE)
    for ability in abilities:
        scope.require(ability)
        if ability not in KEY_ABILITIES:
            raise ScopeDenied(f"no key is given the ability {ability}")
    prefix = secrets.token_hex(6)
    secret = f"mneme_{prefix}_{secrets.token_urlsafe(32)}"
    key = ApiKey(
        id=key_id or uuid7(),
        tenant_id=scope.tenant_id,
        name=name,
        prefix=prefix,
        secret_hash=hashlib.sha256(secret.encode()).digest(),
        subject=subject,
        abilities=[str(ability) for ability in abilities],
        kinds=list(kinds),
        compartments=list(compartments),
        hidden_fields=list(hidden_fields),
        purpose=purpose,
        created_at=now,
        expires_at=expires_at,
    )
    try:
        with open_scope(scope):
            key.save(force_insert=True)
            note_event(scope, "key.issued", object_ids=[key.id], subject=subject, now=now)
    except IntegrityError as error:
        if "tenants_apikey_pkey" in str(error):
            raise AlreadyIssued from error
        raise
    return IssuedKey(key=key, secret=secret)
