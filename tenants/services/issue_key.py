"""Issue an API key; its secret exists once, in the answer."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import regex

from backends.search import names
from tenants.models import ApiKey, Subject
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

KEY_PATTERN = regex.compile(r"mneme_(?P<prefix>[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
AGENT_ABILITIES = (
    Ability.TURNS_WRITE,
    Ability.MEMORIES_READ,
    Ability.MEMORIES_WRITE,
    Ability.PROVENANCE_READ,
)


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
    expires_at: datetime | None = None,
    now: datetime,
) -> IssuedKey:
    """Create a key of the scope's tenant, or of one subject of it.

    Raises ScopeDenied, when the scope may not manage keys.
    """
    scope.require(Ability.KEYS_MANAGE)
    prefix = secrets.token_hex(6)
    secret = f"mneme_{prefix}_{secrets.token_urlsafe(32)}"
    with open_scope(scope):
        key = ApiKey.objects.create(
            tenant_id=scope.tenant_id,
            name=name,
            prefix=prefix,
            secret_hash=hashlib.sha256(secret.encode()).digest(),
            subject=subject,
            abilities=[str(ability) for ability in abilities],
            kinds=list(kinds),
            compartments=list(compartments),
            created_at=now,
            expires_at=expires_at,
        )
        note_event(scope, "key.issued", object_ids=[key.id], subject=subject, now=now)
    return IssuedKey(key=key, secret=secret)
