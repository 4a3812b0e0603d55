"""Relations follow the facts that told of them: closed with what is reverted, open again with what is believed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from consolidation.models.receipt import Act, Doing
from consolidation.rules.candidate import Stance
from consolidation.rules.things import PERSON, plain_name
from consolidation.services.held import CLAIM
from memories.models import Entity, Memory, Relation
from memories.models.memory import Status
from memories.services.references import UnknownReference
from memories.services.relations import add_relation, close_relation
from tenants.scope import Scope

REJECTS = "rejects"


def close_relations(scope: Scope, memory_ids: Sequence[UUID | None], *, now: datetime) -> Iterator[Act]:
    """Close the relations of facts that were retracted, unless another fact tells the same. The scope is open."""
    for memory in _claiming(memory_ids):
        if _is_told_elsewhere(memory):
            continue
        for relation in _relations(memory, ended=False):
            close_relation(of_relation(scope, relation), relation.id, now=now)
            yield Act(doing=Doing.RELATION, row=relation.id)


def reopen_relations(scope: Scope, memory_ids: Sequence[UUID | None], *, now: datetime) -> Iterator[Act]:
    """Write anew the relations of facts that are believed again, which ended with them. The scope is open."""
    for memory in _claiming(memory_ids):
        for relation in _relations(memory, ended=True)[:1]:
            yield from reopen(scope, relation, now=now)


def reopen(scope: Scope, relation: Relation, *, now: datetime) -> Iterator[Act]:
    """Write a relation anew, as it was."""
    try:
        with transaction.atomic():
            again, made = add_relation(
                of_relation(scope, relation),
                user_id=None,
                subject_entity_id=relation.subject_entity_id,
                predicate=relation.predicate,
                object_entity_id=relation.object_entity_id,
                weight=relation.weight,
                compartments=relation.compartments,
                valid_from=relation.valid_from,
                now=now,
            )
    except (UnknownReference, Entity.DoesNotExist):
        return
    if made:
        yield Act(doing=Doing.REOPENED, row=again.id, other=relation.id)


def of_relation(scope: Scope, relation: Relation) -> Scope:
    """Return the scope in which a relation is changed, whatever compartments the caller's has."""
    kept = replace(scope, compartments=tuple(relation.compartments))
    return kept if relation.subject_id is None else kept.narrowed_to(relation.subject_id)


def _claiming(memory_ids: Sequence[UUID | None]) -> list[Memory]:
    """Return the memories of which consolidation noted what they are about."""
    rows = Memory.objects.filter(id__in=[one for one in memory_ids if one is not None]).order_by("id")
    return [row for row in rows if isinstance(row.metadata.get(CLAIM), dict) and row.predicate]


def _key(memory: Memory) -> str:
    return str(memory.metadata[CLAIM].get("key", ""))


def _is_told_elsewhere(memory: Memory) -> bool:
    same = Memory.objects.filter(
        _same_subject(memory),
        compartments=memory.compartments,
        predicate=memory.predicate,
        status=Status.ACTIVE,
        valid_to__isnull=True,
    )
    return any(_key(row) == _key(memory) for row in _claiming(list(same.values_list("id", flat=True))))


def _relations(memory: Memory, *, ended: bool) -> list[Relation]:
    """Return the person's relations to what a memory is about, newest first."""
    stance = memory.metadata[CLAIM].get("stance")
    predicate = REJECTS if stance == Stance.LACKS.value else memory.predicate
    rows = Relation.objects.filter(
        _same_subject(memory),
        compartments=memory.compartments,
        subject_entity__entity_type=PERSON,
        predicate=predicate,
        closed_at__isnull=True,
        valid_to__isnull=not ended,
    )
    key = _key(memory)
    return [row for row in rows.select_related("object_entity").order_by("-id") if key in _names(row.object_entity)]


def _same_subject(memory: Memory) -> Q:
    return Q(subject_id=memory.subject_id) if memory.subject_id else Q(subject_id__isnull=True)


def _names(entity: Entity) -> set[str]:
    return {name for one in (entity.name, *entity.aliases) for name in (plain_name(one), one.casefold())}
