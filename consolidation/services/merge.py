"""Merge: two entities that turn out to be one; whatever is about the second is about the first from then on."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from backends.search import names
from consolidation.models import Receipt
from consolidation.models.receipt import Act, Doing, ReceiptKind, stored
from consolidation.services.merge_relations import merge_relations
from consolidation.services.merged_into import merged_into, names_of
from memories.models import Entity, Memory
from memories.models.memory import Status
from memories.services.changeable import check_changeable
from memories.services.references import UnknownReference
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen

ASKED, ALIAS_TABLE, SAME_NAME, REVIEWED = "asked", "alias_table", "same_name", "reviewed"
PART = "|"
Place = tuple[object, ...]


class NotMergeable(Exception):
    """These two cannot be merged, or no longer be parted, as they stand."""


def merge(
    scope: Scope, survivor_id: UUID, merged_id: UUID, *, why: str = ASKED, if_match: int | None = None, now: datetime
) -> Receipt:
    """Make two open entities of one user and the same compartments one; return what was done, by id.

    1. Both are locked, so that what is being written about either is there. 2. Memories and relations of the second,
    whether the caller sees them or not, point at the first; what both have is counted once. 3. The first takes the
    other's names and what it has no attribute for; the second is closed, and can be merged no more: no
    chain, no cycle.
    why: what tells that they are one.

    Raises ScopeDenied; Entity.DoesNotExist; UnknownReference (entity_id); StaleVersion; NotMergeable.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        lock_both(survivor_id, merged_id)
        rows = Entity.objects.filter(closed_at__isnull=True).select_related("subject")
        survivor = rows.get(id=survivor_id)
        merged = rows.filter(id=merged_id).first()
        if merged is None:
            raise UnknownReference("entity_id")
        check_changeable(scope, survivor, if_match=if_match)
        check_changeable(scope, merged, if_match=None)
        if survivor.id == merged.id:
            raise NotMergeable("entity_id: is the survivor itself; name the entity that goes into it")
        if (survivor.subject_id, survivor.compartments) != (merged.subject_id, merged.compartments):
            raise NotMergeable("entity_id: both must belong to the same user and be in the same compartments")
        with open_unseen(scope):
            acts = [Act(doing=Doing.MOVED, rows=tuple(_move_memories(survivor, merged)))]
            acts += merge_relations(survivor, merged, now=now)
        acts.append(Act(doing=Doing.MERGED, row=merged.id, other=survivor.id, before=_take_names(survivor, merged)))
        Entity.objects.filter(id=merged.id).update(closed_at=now)
        receipt = Receipt.objects.create(
            tenant_id=scope.tenant_id,
            subject_id=survivor.subject_id,
            compartments=survivor.compartments,
            kind=ReceiptKind.MERGE,
            verb=why,
            root_id=merged.id,
            acts=stored(acts),
            key_id=scope.key_id,
            made_at=now,
        )
        ids = [survivor.id, merged.id, receipt.id]
        note_event(scope, "entity.merged", object_ids=ids, subject=survivor.subject, data={"why": why}, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return receipt


def lock_both(one: UUID, other: UUID) -> None:
    """Lock two entities in an order that all keep, so that no two merges wait for each other. The scope is open."""
    rows = Entity.objects.select_for_update(no_key=True, of=("self",)).filter(id__in=[one, other])
    list(rows.order_by("id").values_list("id"))


def _move_memories(survivor: Entity, merged: Entity) -> list[UUID]:
    """Point memories at the survivor; of a text that both have, the second stays. Return which were moved.

    Raises NotMergeable, when both have an active memory in a slot: then one of them is wrong, or they are two.
    """
    about = Memory.objects.filter(entity_id=merged.id)
    locked: set[UUID] = set()
    while True:  # who held one of them may have written its copy while this waited
        ids = set(about.select_for_update(no_key=True, of=("self",)).order_by("id").values_list("id", flat=True))
        if ids <= locked:
            break
        locked |= ids
    both = Memory.objects.filter(status=Status.ACTIVE, valid_to__isnull=True)
    slots, texts = _places(both.filter(entity_id=survivor.id))
    moved_slots, moved_texts = _places(both.filter(entity_id=merged.id))
    stay = {row for text, row in moved_texts.items() if text in texts}
    if any(slot in slots and row not in stay for slot, row in moved_slots.items()):
        raise NotMergeable("entity_id: both have an active memory in the same slot; supersede or retract one of them")
    moved = sorted(ids - stay)
    Memory.objects.filter(id__in=moved).update(entity_id=survivor.id)
    return moved


def _places(rows: "QuerySet[Memory]") -> tuple[dict[Place, UUID], dict[Place, UUID]]:
    """Return active memories by slot, and by text: of each an entity has one in the same compartments."""
    slots: dict[Place, UUID] = {}
    texts: dict[Place, UUID] = {}
    for row in rows:
        whose = (row.subject_id, *row.compartments)
        if row.slot is not None:
            slots[(row.slot, *whose)] = row.id
        if row.memory_type == names.SEMANTIC:
            texts[(row.agent_id, bytes(row.content_hash), *whose)] = row.id
    return slots, texts


def _take_names(survivor: Entity, merged: Entity) -> str:
    """Give the survivor the other's names and missing attributes; return which, by place, so that no word is kept.

    A name that it has only of an earlier merge is the other's too, and stays until both are parted.
    """
    held = {name.casefold() for name in (survivor.name, *survivor.aliases)}
    said = (merged.name, *merged.aliases)
    lent = names_of(merged_into(survivor.id)) - {survivor.name.casefold()}
    new = [place for place, name in enumerate(said) if name.casefold() not in held - lent]
    keys = sorted(merged.attributes)
    missing = [place for place, key in enumerate(keys) if key not in survivor.attributes]
    Entity.objects.filter(id=survivor.id).update(
        aliases=[*survivor.aliases, *(said[place] for place in new if said[place].casefold() not in held)],
        attributes={**survivor.attributes, **{keys[place]: merged.attributes[keys[place]] for place in missing}},
    )
    return PART.join(",".join(str(place) for place in places) for places in (new, missing))
