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
from tenants.hidden_fields import HIDEABLE
from tenants.ids import external_id_fault, uuid7
from tenants.models import ApiKey, Subject
from tenants.scope import NO_QUOTAS, Ability, ActorKind, Quotas, Scope, ScopeDenied
from tenants.services.lock_actor import lock_actor
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.spend import refuse_wider_quotas

KEY_PATTERN = regex.compile(r"mneme_(?P<prefix>[0-9a-f]{12})_[A-Za-z0-9_-]{43}")
COMPARTMENT_MAX_LENGTH = 64
AGENT_ABILITIES = (
    Ability.TURNS_WRITE,
    Ability.MEMORIES_READ,
    Ability.MEMORIES_WRITE,
    Ability.PROVENANCE_READ,
)
KEY_ABILITIES = tuple(ability for ability in Ability if ability is not Ability.MEMBERS_MANAGE)


class AlreadyIssued(Exception):
    """A key was issued under this id already; its secret is not shown again."""


class KeyNotIssuable(Exception):
    """There can be no such key. Said as `field: what is wrong with it`."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.field, _, self.message = said.partition(": ")


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
    quotas: Quotas = NO_QUOTAS,
    template: str = "",
    expires_at: datetime | None = None,
    key_id: UUID | None = None,
    now: datetime,
) -> IssuedKey:
    """Create a key of the scope's tenant, or of one subject of it; it can do no more than the scope itself.

    A scope of one subject makes keys of that subject only; what is hidden from the scope is hidden from the key.
    template: the name of the one that the caller has filled the rest from.
    key_id: the new key's id where the caller chose it, so that a form sent twice issues one key.
    Raises ScopeDenied, when the scope may not manage keys, lacks what the key would have, or is a key's that was
    revoked meanwhile; KeyNotIssuable, when there can be no such key; AlreadyIssued.
    """
    scope.require(Ability.KEYS_MANAGE)
    refuse_impossible(abilities, kinds, compartments)
    refuse_unknown_fields(hidden_fields)
    refuse_more(scope, abilities, kinds, compartments, subject)
    refuse_wider_quotas(scope, quotas)
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
        hidden_fields=sorted({*hidden_fields, *scope.hidden_fields}),
        purpose=purpose,
        template=template,
        requests_a_minute=quotas.requests_a_minute,
        turns_a_day=quotas.turns_a_day,
        recalls_a_minute=quotas.recalls_a_minute,
        created_at=now,
        expires_at=expires_at,
    )
    try:
        with open_scope(scope):
            lock_actor(scope, now=now)
            if subject is None and scope.subject_id is not None:
                subject = key.subject = Subject.objects.get(id=scope.subject_id)
            key.save(force_insert=True)
            note_event(scope, "key.issued", object_ids=[key.id], subject=subject, now=now)
    except IntegrityError as error:
        if "tenants_apikey_pkey" in str(error):
            raise AlreadyIssued from error
        raise
    return IssuedKey(key=key, secret=secret)


def refuse_impossible(abilities: Sequence[str], kinds: Sequence[str], compartments: Sequence[str]) -> None:
    """Raise KeyNotIssuable for what no key can be given."""
    if not kinds:
        raise KeyNotIssuable("kinds: a key without a kind reads nothing; name at least one")
    if unknown := sorted({*kinds} - {*names.KINDS}):
        raise KeyNotIssuable(f"kinds: there is no {', '.join(unknown)}")
    if unknown := sorted({*map(str, abilities)} - {*map(str, Ability)}):
        raise KeyNotIssuable(f"abilities: there is no {', '.join(unknown)}")
    for compartment in compartments:
        if fault := compartment_fault(compartment):
            raise KeyNotIssuable(f"compartments: {fault}")


def compartment_fault(name: str) -> str | None:
    """Return what is wrong with the name of a compartment, or None."""
    fault = external_id_fault(name)
    if fault is not None or len(name) > COMPARTMENT_MAX_LENGTH:
        return fault or f"at most {COMPARTMENT_MAX_LENGTH} characters each"
    if "," in name:
        return "must not contain commas"
    return f"{names.NONE} is reserved for what has none" if name == names.NONE else None


def refuse_unknown_fields(hidden_fields: Sequence[str]) -> None:
    """Raise KeyNotIssuable for names that hide nothing."""
    if unknown := sorted({*hidden_fields} - HIDEABLE.keys()):
        raise KeyNotIssuable(f"hidden_fields: there is no {', '.join(unknown)}; choose among {', '.join(HIDEABLE)}")


def refuse_more(
    scope: Scope,
    abilities: Sequence[str],
    kinds: Sequence[str],
    compartments: Sequence[str],
    subject: Subject | None,
) -> None:
    """Raise ScopeDenied for a key that could do more than the scope; the system has all that a key can have.

    Compartments are a limit of keys: a member of the tenant may give any.
    """
    if never := sorted({*map(str, abilities)} - {*map(str, KEY_ABILITIES)}):
        raise ScopeDenied(f"no key is given the ability {', '.join(never)}")
    if subject is not None and scope.subject_id not in (None, subject.id):
        raise ScopeDenied("the key belongs to one user and can issue keys of that user only")
    if scope.actor == ActorKind.SYSTEM:
        return
    wanted = {
        "abilities": {*map(str, abilities)} - {*map(str, scope.abilities)},
        "kinds": {*kinds} - {*scope.kinds},
        "compartments": {*compartments} - {*scope.compartments} if scope.actor == ActorKind.KEY else set(),
    }
    lacking = [f"{field}: {', '.join(sorted(more))}" for field, more in wanted.items() if more]
    if lacking:
        raise ScopeDenied(f"a key can be given only what its issuer has; not {'; '.join(lacking)}")
