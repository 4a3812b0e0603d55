"""Issue a key from a template: what the request leaves out, the template says; without one, what agents need."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tenants.models import KeyTemplate, Subject
from tenants.scope import Ability, Scope
from tenants.services.find_subject import find_or_make_subject, find_subject
from tenants.services.issue_key import AGENT_ABILITIES, IssuedKey, KeyNotIssuable, issue_key
from tenants.services.open_scope import open_scope
from tenants.services.spend import quotas_said

LIVES_MAX_DAYS = 3_650


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A key as somebody asks for it. None: as the template says, or as keys without a template are.

    user_id: the one user it is for. makes_user: whether one that the tenant does not know yet is made.
    lives_days: 0 = until it is revoked.
    """

    name: str
    template: str | None = None
    user_id: str | None = None
    makes_user: bool = False
    abilities: Sequence[Ability] | None = None
    kinds: Sequence[str] | None = None
    compartments: Sequence[str] | None = None
    hidden_fields: Sequence[str] | None = None
    purpose: str | None = None
    lives_days: int | None = None
    requests_a_minute: int | None = None
    turns_a_day: int | None = None
    recalls_a_minute: int | None = None


def issue_from(scope: Scope, wanted: Wanted, *, key_id: UUID | None = None, now: datetime) -> IssuedKey:
    """Issue the key that is asked for.

    Raises KeyNotIssuable, when there is no such template or user, or the template is for keys of one user and none
    is named; else as issue_key does.
    """
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        template = _template(wanted.template)
        subject = _subject(scope, wanted, now=now)
        if template is not None and template.per_user and subject is None:
            raise KeyNotIssuable(f"user_id: a key from the template {template.name} is for one user; name one")
        full = _filled(scope, wanted, template)
        days = full.lives_days
        return issue_key(
            scope,
            name=full.name,
            subject=subject,
            abilities=[Ability(ability) for ability in full.abilities or ()],
            kinds=full.kinds or (),
            compartments=full.compartments or (),
            hidden_fields=full.hidden_fields or (),
            purpose=full.purpose or "",
            quotas=quotas_said(scope, full),
            template=full.template or "",
            expires_at=now + timedelta(days=days) if days else None,
            key_id=key_id,
            now=now,
        )


def _template(name: str | None) -> KeyTemplate | None:
    if not name:
        return None
    try:
        return KeyTemplate.objects.get(name=name)
    except KeyTemplate.DoesNotExist:
        known = ", ".join(KeyTemplate.objects.order_by("name").values_list("name", flat=True))
        raise KeyNotIssuable(f"template: there is no {name}; there are {known or 'none'}") from None


def _subject(scope: Scope, wanted: Wanted, *, now: datetime) -> Subject | None:
    if wanted.makes_user:
        return find_or_make_subject(scope, wanted.user_id, now=now)[0]
    try:
        return find_subject(scope, wanted.user_id)
    except Subject.DoesNotExist:
        raise KeyNotIssuable("user_id: the tenant knows no such user yet; record a turn of that user first") from None


def _filled(scope: Scope, wanted: Wanted, template: KeyTemplate | None) -> Wanted:
    """Return what is wanted with nothing left open but quotas."""
    plain = Wanted(name=wanted.name, abilities=AGENT_ABILITIES, kinds=scope.kinds)
    chosen: dict[str, Any] = {}
    for field in fields(Wanted):
        asked = getattr(wanted, field.name)
        chosen[field.name] = getattr(template or plain, field.name, None) if asked is None else asked
    return Wanted(**{**chosen, "name": wanted.name, "user_id": wanted.user_id, "template": wanted.template})
