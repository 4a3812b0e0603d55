"""Relations: written, found, ended and closed."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from backends.search import names
from backends.search.filters import Filter
from memories.models import Relation
from memories.services.add_sources import within
from memories.services.changeable import lock_changeable
from memories.services.compartments import compartments_of_entities
from memories.services.ensure_subject import ensure_subject
from memories.services.filtering import filtered
from memories.services.lock_entities import lock_entities
from memories.services.of_user import of_user
from memories.services.references import UnknownReference
from memories.services.wake import wake
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def add_relation(
    scope: Scope,
    *,
    user_id: str | None,
    subject_entity_id: UUID,
    predicate: str,
    object_entity_id: UUID,
    weight: float = 1.0,
    compartments: Sequence[str] | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    now: datetime,
) -> tuple[Relation, bool]:
    """Write a relation; the same again adds to its weight. Return it, and whether it is new.

    compartments: None = those that its entities have in common.
    Raises ScopeDenied; FieldDenied, when the key does not hold a compartment; UnknownReference, when an entity is not
    there for the user, or the relation would be seen by more than see its entities.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.RELATION)
    with open_scope(scope):
        subject = ensure_subject(scope, user_id, now=now)
        narrowed = scope.narrowed_to(subject.id) if subject else scope
        with open_scope(narrowed):
            _check_entities(subject, subject_entity_id, object_entity_id)
            if valid_to is not None and valid_to < (valid_from or now):
                raise UnknownReference("valid_to", "must not lie before valid_from (left out: now)")
            edge = {
                "subject_id": subject.id if subject else None,
                "subject_entity_id": subject_entity_id,
                "predicate": predicate,
                "object_entity_id": object_entity_id,
                "compartments": compartments_of_entities(scope, compartments, [subject_entity_id, object_entity_id]),
            }
            try:
                with transaction.atomic():
                    relation = Relation.objects.create(
                        tenant_id=scope.tenant_id,
                        **edge,
                        weight=weight,
                        valid_from=valid_from or now,
                        valid_to=valid_to,
                        recorded_at=now,
                    )
                made = True
            except IntegrityError as error:
                if "one_open_relation" not in str(error):
                    raise
                same = Relation.objects.filter(**edge, closed_at__isnull=True, valid_to__isnull=True)
                same.update(weight=F("weight") + weight)
                relation, made = same.get(), False
            kind = "relation.added" if made else "relation.repeated"
            note_event(narrowed, kind, object_ids=[relation.id], subject=subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return _read(relation.id), made


def get_relation(scope: Scope, relation_id: UUID) -> Relation:
    """Return a relation. Raises ScopeDenied; Relation.DoesNotExist, when the scope sees none."""
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.RELATION)
    with open_scope(scope):
        return _read(relation_id)


def close_relation(scope: Scope, relation_id: UUID, *, if_match: int | None = None, now: datetime) -> None:
    """Close a relation: it was never true. Raises ScopeDenied; Relation.DoesNotExist; StaleVersion."""
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.RELATION)
    with open_scope(scope):
        relation = _locked(scope, relation_id, if_match)
        Relation.objects.filter(id=relation.id).update(closed_at=now)
        note_event(scope, "relation.closed", object_ids=[relation.id], subject=relation.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))


def list_relations(
    scope: Scope,
    *,
    user_id: str | None,
    entity_id: UUID | None,
    predicate: str | None,
    filters: Filter | None,
    before: UUID | None,
    limit: int,
) -> list[Relation]:
    """Return open relations, newest first; entity_id: at either end.

    Raises ScopeDenied; FieldDenied, when the scope may not filter by a field.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.RELATION)
    with open_scope(scope):
        rows = of_user(scope, Relation.objects.filter(closed_at__isnull=True), user_id)
        rows = filtered(scope, rows, filters)
        if entity_id is not None:
            rows = rows.filter(Q(subject_entity_id=entity_id) | Q(object_entity_id=entity_id))
        if predicate is not None:
            rows = rows.filter(predicate=predicate)
        if before is not None:
            rows = rows.filter(id__lt=before)
        related = rows.select_related("subject_entity", "object_entity", "subject")
        return list(related.order_by("-id")[:limit])


def _check_entities(subject: Subject | None, subject_entity_id: UUID, object_entity_id: UUID) -> None:
    """Refuse entities that are closed, or of another user than the relation's."""
    own = within(subject.id if subject else None)
    wanted = {"subject_entity_id": subject_entity_id, "object_entity_id": object_entity_id}
    found = lock_entities(own, wanted.values())
    for field, entity_id in wanted.items():
        if entity_id not in found:
            raise UnknownReference(field)


def _read(relation_id: UUID) -> Relation:
    return Relation.objects.select_related("subject_entity", "object_entity", "subject").get(id=relation_id)


def _locked(scope: Scope, relation_id: UUID, if_match: int | None) -> Relation:
    rows = Relation.objects.filter(closed_at__isnull=True).select_related("subject")
    return lock_changeable(scope, rows, relation_id, if_match=if_match)
