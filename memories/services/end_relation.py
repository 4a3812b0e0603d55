"""End a relation: it was true, and ended then."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from backends.search import names
from memories.models import Relation
from memories.services.wake import wake
from tenants.ids import uuid7
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def end_relation(scope: Scope, relation_id: UUID, *, at: datetime, now: datetime) -> Relation:
    """Close an open relation and open a copy that is true until a moment; return the copy.

    at: not before its valid_from, or that is taken. Raises ScopeDenied; Relation.DoesNotExist, when it is closed.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.RELATION)
    with open_scope(scope):
        rows = Relation.objects.select_for_update(no_key=True, of=("self",))
        relation = rows.get(id=relation_id, closed_at__isnull=True)
        Relation.objects.filter(id=relation.id).update(closed_at=now)
        copy = Relation.objects.create(
            id=uuid7(),
            tenant_id=relation.tenant_id,
            subject_id=relation.subject_id,
            compartments=relation.compartments,
            subject_entity_id=relation.subject_entity_id,
            predicate=relation.predicate,
            object_entity_id=relation.object_entity_id,
            weight=relation.weight,
            valid_from=relation.valid_from,
            valid_to=max(at, relation.valid_from),
            recorded_at=now,
        )
        ids = [copy.id, relation.id]
        note_event(scope, "relation.ended", object_ids=ids, subject=relation.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return copy
