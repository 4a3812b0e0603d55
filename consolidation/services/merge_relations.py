"""Merge relations: what stood between an entity and others stands between its survivor and them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import F, Q

from consolidation.models.receipt import Act, Doing
from memories.models import Entity, Relation

SUBJECT, OBJECT, BOTH = "subject", "object", "both"
_ENDS = {
    SUBJECT: ("subject_entity_id",),
    OBJECT: ("object_entity_id",),
    BOTH: ("subject_entity_id", "object_entity_id"),
}


def merge_relations(survivor: Entity, merged: Entity, *, now: datetime) -> list[Act]:
    """Point an entity's relations at its survivor; one that both have is counted once, with the weight of both.

    What stood between the two themselves is closed. The scope is open.
    """
    acts = []
    touching = Q(subject_entity_id=merged.id) | Q(object_entity_id=merged.id)
    for relation in Relation.objects.select_for_update(no_key=True, of=("self",)).filter(touching).order_by("id"):
        at_subject, at_object = relation.subject_entity_id == merged.id, relation.object_entity_id == merged.id
        ends = BOTH if at_subject and at_object else SUBJECT if at_subject else OBJECT
        subject_id = survivor.id if at_subject else relation.subject_entity_id
        object_id = survivor.id if at_object else relation.object_entity_id
        if subject_id == object_id and ends != BOTH:
            if relation.closed_at is None:
                acts.append(_fold(relation, None, now=now))
            continue
        twin = _twin(relation, subject_id, object_id)
        if twin is not None:
            acts.append(_fold(relation, twin, now=now))
            continue
        _point(relation.id, ends, survivor.id)
        acts.append(Act(doing=Doing.POINTED, row=relation.id, before=ends))
    return acts


def part_relations(survivor: Entity, merged: Entity, acts: Sequence[Act]) -> None:
    """Take merge_relations back, last first. The merged entity is open again; the scope is open.

    What gave its weight away comes back unless what has it was closed since: then that was the end of both.
    """
    for act in reversed(acts):
        if act.row is None:
            continue
        relation = Relation.objects.select_for_update(no_key=True, of=("self",)).filter(id=act.row).first()
        if relation is None:
            continue
        if act.doing is Doing.POINTED and survivor.id in (relation.subject_entity_id, relation.object_entity_id):
            _point(relation.id, act.before, merged.id)
        elif act.doing is Doing.FOLDED:
            _unfold(relation, act)


def _unfold(relation: Relation, act: Act) -> None:
    if act.other is not None:
        rows = Relation.objects.select_for_update(no_key=True, of=("self",))
        twin = rows.filter(id=act.other, closed_at__isnull=True).first()
        if twin is None:
            return
        rest = twin.weight - relation.weight
        Relation.objects.filter(id=twin.id).update(weight=rest if rest > 0 else twin.weight)
    ends = Entity.objects.filter(id__in=[relation.subject_entity_id, relation.object_entity_id])
    if not ends.filter(closed_at__isnull=False).exists():
        Relation.objects.filter(id=relation.id).update(closed_at=None)


def _twin(relation: Relation, subject_id: UUID, object_id: UUID) -> Relation | None:
    """Return the open relation that would say the same."""
    if relation.closed_at is not None or relation.valid_to is not None:
        return None
    own = Q(subject_id=relation.subject_id) if relation.subject_id else Q(subject_id__isnull=True)
    return (
        Relation.objects.select_for_update(no_key=True, of=("self",))
        .filter(
            own,
            compartments=relation.compartments,
            subject_entity_id=subject_id,
            predicate=relation.predicate,
            object_entity_id=object_id,
            closed_at__isnull=True,
            valid_to__isnull=True,
        )
        .exclude(id=relation.id)
        .first()
    )


def _fold(relation: Relation, twin: Relation | None, *, now: datetime) -> Act:
    if twin is not None:
        Relation.objects.filter(id=twin.id).update(weight=F("weight") + relation.weight)
    Relation.objects.filter(id=relation.id).update(closed_at=now)
    return Act(
        doing=Doing.FOLDED, row=relation.id, other=twin.id if twin is not None else None, before=str(relation.weight)
    )


def _point(relation_id: UUID, ends: str, entity_id: UUID) -> None:
    Relation.objects.filter(id=relation_id).update(**dict.fromkeys(_ENDS[ends], entity_id))
