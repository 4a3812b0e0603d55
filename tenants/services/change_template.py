"""Change a template of keys: make it, replace it, remove it. No key that was issued changes with it."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from tenants.models import KeyTemplate
from tenants.scope import Ability, Scope
from tenants.services.issue_key import KeyNotIssuable, refuse_impossible, refuse_more, refuse_unknown_fields
from tenants.services.lock_actor import lock_actor
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.spend import quotas_said, refuse_wider_quotas


class TemplateStale(Exception):
    """The template has changed since it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateValues:
    """What a template says, named as its columns."""

    name: str
    description: str = ""
    per_user: bool = False
    abilities: Sequence[Ability]
    kinds: Sequence[str]
    compartments: Sequence[str] = ()
    hidden_fields: Sequence[str] = ()
    purpose: str = ""
    lives_days: int | None = None
    requests_a_minute: int | None = None
    turns_a_day: int | None = None
    recalls_a_minute: int | None = None


def list_templates(scope: Scope) -> list[KeyTemplate]:
    """Return the tenant's templates by name."""
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        return list(KeyTemplate.objects.order_by("name"))


def get_template(scope: Scope, name: str) -> KeyTemplate:
    """Return a template. Raises KeyTemplate.DoesNotExist."""
    scope.require(Ability.KEYS_MANAGE)
    with open_scope(scope):
        return KeyTemplate.objects.get(name=name)


def put_template(
    scope: Scope, values: TemplateValues, *, if_version: int | None = None, only_new: bool = False, now: datetime
) -> KeyTemplate:
    """Make or replace the template of this name, and return it.

    if_version: the version that was read; None takes any. only_new: one that is there already stays as it is. What is
    hidden from the scope is hidden by the template.
    Raises ScopeDenied, when the scope may not manage keys, belongs to one user, or lacks what keys from the template
    would have; KeyNotIssuable; TemplateStale.
    """
    _require(scope)
    refuse_impossible(values.abilities, values.kinds, values.compartments)
    refuse_unknown_fields(values.hidden_fields)
    refuse_more(scope, values.abilities, values.kinds, values.compartments, None)
    refuse_wider_quotas(scope, quotas_said(scope, values))
    columns = {field.name: _plain(getattr(values, field.name)) for field in fields(TemplateValues)}
    # Else somebody to whom nothing is hidden would issue what this scope may not.
    columns["hidden_fields"] = list(dict.fromkeys([*values.hidden_fields, *scope.hidden_fields]))
    with open_scope(scope):
        lock_actor(scope, now=now)
        made = KeyTemplate(tenant_id=scope.tenant_id, changed_at=now, **columns)
        if if_version is None:
            KeyTemplate.objects.bulk_create([made], ignore_conflicts=True)
        held = KeyTemplate.objects.select_for_update().get(name=values.name)
        is_new = held.id == made.id
        if only_new and not is_new:
            raise KeyNotIssuable("name: there is a template of this name already")
        if not is_new:
            if if_version not in (None, version_of(held)):
                raise TemplateStale("If-Match: the template has changed; read it again")
            made.id = held.id
            made.save(force_update=True)
        note_event(scope, "template.changed", object_ids=[made.id], data={"created": is_new}, now=now)
    return made


def remove_template(scope: Scope, name: str, *, now: datetime) -> None:
    """Remove a template. Raises ScopeDenied; KeyTemplate.DoesNotExist."""
    _require(scope)
    with open_scope(scope):
        held = KeyTemplate.objects.select_for_update().get(name=name)
        note_event(scope, "template.removed", object_ids=[held.id], now=now)
        held.delete()


def version_of(template: KeyTemplate) -> int:
    """Return what changes with every change of a template: microseconds of its moment."""
    return int(template.changed_at.timestamp() * 1_000_000)


def _require(scope: Scope) -> None:
    scope.require(Ability.KEYS_MANAGE)
    scope.require_whole_tenant("templates are")


def _plain(value: object) -> object:
    """Return a column's value: lists of text, not of abilities."""
    return [str(item) for item in value] if isinstance(value, list | tuple) else value
