"""Entities: written, found, changed and closed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q

from backends.search import names
from backends.search.filters import Filter
from memories.models import Entity, Relation
from memories.services.changeable import lock_changeable
from memories.services.compartments import own_compartments
from memories.services.ensure_subject import ensure_subject
from memories.services.filtering import filtered
from memories.services.of_user import of_user
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen


class EntityExists(Exception):
    """An entity of this type and name is there already."""


def add_entity(
    scope: Scope,
    *,
    user_id: str | None,
    entity_type: str,
    name: str,
    aliases: Sequence[str] = (),
    attributes: Mapping[str, Any] | None = None,
    compartments: Sequence[str] = (),
    now: datetime,
) -> Entity:
    """Write an entity; the same name in other compartments is another entity.

    Raises ScopeDenied; FieldDenied, when the key does not hold a compartment; EntityExists, when the type has one of
    that name.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.ENTITY)
    kept_in = own_compartments(scope, compartments)
    with open_scope(scope):
        subject = ensure_subject(scope, user_id, now=now)
        narrowed = scope.narrowed_to(subject.id) if subject else scope
        with open_scope(narrowed):
            own = Q(subject_id=subject.id) if subject else Q(subject_id__isnull=True)
            same = Entity.objects.filter(own, entity_type=entity_type, name=name, compartments=kept_in)
            held = same.filter(closed_at__isnull=True).first()
            if held is not None:
                raise EntityExists(f"name: entity {held.id} has this type and name; change that one")
            try:
                with transaction.atomic():
                    entity = Entity.objects.create(
                        tenant_id=scope.tenant_id,
                        subject=subject,
                        entity_type=entity_type,
                        name=name,
                        aliases=list(aliases),
                        attributes=dict(attributes or {}),
                        compartments=kept_in,
                        recorded_at=now,
                    )
            except IntegrityError as error:
                raise EntityExists("name: another request wrote this entity just now; read it again") from error
            note_event(narrowed, "entity.added", object_ids=[entity.id], subject=subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return _read(entity.id)


def get_entity(scope: Scope, entity_id: UUID) -> Entity:
    """Return an entity. Raises ScopeDenied; Entity.DoesNotExist, when the scope sees none."""
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        return _read(entity_id)


def change_entity(
    scope: Scope, entity_id: UUID, changes: Mapping[str, Any], *, if_match: int | None = None, now: datetime
) -> Entity:
    """Change an open entity's name, aliases, attributes or type.

    Raises ScopeDenied; Entity.DoesNotExist; StaleVersion; EntityExists, when another one has the new name.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        entity = _locked(scope, entity_id, if_match)
        try:
            with transaction.atomic():
                Entity.objects.filter(id=entity.id).update(**changes)
        except IntegrityError as error:
            raise EntityExists("name: another entity has this type and name") from error
        note_event(
            scope,
            "entity.changed",
            object_ids=[entity.id],
            subject=entity.subject,
            data={"fields": sorted(changes)},
            now=now,
        )
        transaction.on_commit(lambda: wake("memories.sync"))
        return _read(entity_id)


def close_entity(scope: Scope, entity_id: UUID, *, if_match: int | None = None, now: datetime) -> None:
    """Close an entity and its relations. Raises ScopeDenied; Entity.DoesNotExist; StaleVersion."""
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        entity = _locked(scope, entity_id, if_match)
        Entity.objects.filter(id=entity.id).update(closed_at=now)
        ends = Q(subject_entity_id=entity.id) | Q(object_entity_id=entity.id)
        if scope.subject_id is not None:
            ends &= Q(subject_id=scope.subject_id)
        with open_unseen(scope):  # a relation may stand in compartments that the caller does not hold
            Relation.objects.filter(ends, closed_at__isnull=True).update(closed_at=now)
        note_event(scope, "entity.closed", object_ids=[entity.id], subject=entity.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))


def list_entities(
    scope: Scope,
    *,
    user_id: str | None,
    entity_type: str | None,
    name: str | None,
    filters: Filter | None,
    before: UUID | None,
    limit: int,
) -> list[Entity]:
    """Return open entities, newest first; name: letter case aside, or one of the aliases.

    Raises ScopeDenied; FieldDenied, when the scope may not filter by a field.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        rows = of_user(scope, Entity.objects.filter(closed_at__isnull=True), user_id)
        rows = filtered(scope, rows, filters)
        if entity_type is not None:
            rows = rows.filter(entity_type=entity_type)
        if name is not None:
            rows = rows.filter(Q(name__iexact=name) | Q(aliases__contains=[name]))
        if before is not None:
            rows = rows.filter(id__lt=before)
        return list(rows.select_related("subject").order_by("-id")[:limit])


def _read(entity_id: UUID) -> Entity:
    return Entity.objects.select_related("subject").get(id=entity_id)


def _locked(scope: Scope, entity_id: UUID, if_match: int | None) -> Entity:
    rows = Entity.objects.filter(closed_at__isnull=True).select_related("subject")
    return lock_changeable(scope, rows, entity_id, if_match=if_match)
