"""Unmerge: two entities that were taken for one are two again, as they were."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from backends.search import names
from consolidation.models import Receipt
from consolidation.models.receipt import Doing, ReceiptKind
from consolidation.services.merge import PART, NotMergeable, lock_both
from consolidation.services.merge_relations import part_relations
from consolidation.services.merged_into import merged_into, names_of
from memories.models import Entity, Memory
from memories.services.changeable import check_changeable
from memories.services.entities import EntityExists
from memories.services.lineage import with_all_later_rows
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen


def unmerge(scope: Scope, merged_id: UUID, *, now: datetime) -> Receipt:
    """Part an entity from the one it went into; return the receipt of the merge, undone.

    Names, memories and relations go back, and with a memory its later copies; what was first learnt about the
    survivor meanwhile stays with it.

    Raises ScopeDenied; Entity.DoesNotExist; Receipt.DoesNotExist, when it is in no other; NotMergeable, when its
    survivor is closed, or what both had was merged with a third since; EntityExists.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(names.ENTITY)
    with open_scope(scope):
        rows = Entity.objects.select_related("subject")
        merged = rows.get(id=merged_id)
        receipts = Receipt.objects.filter(kind=ReceiptKind.MERGE, undone_at__isnull=True)
        own = receipts.get(root_id=merged.id)
        survivor_id = next(act.other for act in own.done() if act.doing is Doing.MERGED and act.other is not None)
        lock_both(survivor_id, merged.id)
        own = receipts.get(id=own.id)  # another request may have undone it meanwhile
        survivor = rows.get(id=survivor_id)
        check_changeable(scope, survivor, if_match=None)
        if survivor.closed_at is not None:
            raise NotMergeable(
                f"entity {survivor.id}, which it went into, is closed; if it was merged, unmerge it first"
            )
        others = [other for other in merged_into(survivor.id) if other.id != own.id]
        _refuse_shared(own, others)
        _give_names_back(survivor, merged, own, others)
        _reopen(merged)
        with open_unseen(scope):
            moved = [row for act in own.done() if act.doing is Doing.MOVED for row in act.rows]
            back = Memory.objects.filter(id__in=with_all_later_rows(moved), entity_id=survivor.id)
            back.update(entity_id=merged.id)
            part_relations(survivor, merged, own.done())
        Receipt.objects.filter(id=own.id).update(undone_at=now)
        ids = [survivor.id, merged.id, own.id]
        note_event(scope, "entity.unmerged", object_ids=ids, subject=survivor.subject, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return Receipt.objects.select_related("subject").get(id=own.id)


def _reopen(merged: Entity) -> None:
    try:
        with transaction.atomic():
            Entity.objects.filter(id=merged.id).update(closed_at=None)
    except IntegrityError as error:
        raise EntityExists("another entity has its type and name since; change or merge that one") from error


def _refuse_shared(own: Receipt, others: Sequence[Receipt]) -> None:
    """Refuse to take a relation away from a survivor that has a third one's weight in it."""
    pointed = {act.row for act in own.done() if act.doing is Doing.POINTED}
    for other in others:
        if any(act.doing is Doing.FOLDED and act.other in pointed for act in other.done()):
            raise NotMergeable(
                f"entity {other.root_id} was merged later and has a relation in common; unmerge it first"
            )


def _give_names_back(survivor: Entity, merged: Entity, own: Receipt, others: Sequence[Receipt]) -> None:
    """Take the names and attributes away that came with a merge, but for what others still in it are called."""
    before = next(act.before for act in own.done() if act.doing is Doing.MERGED)
    new, missing = ([int(place) for place in part.split(",") if place] for part in before.split(PART))
    said, keys = (merged.name, *merged.aliases), sorted(merged.attributes)
    gone = {said[place].casefold() for place in new} - names_of(others)
    came = {keys[place]: merged.attributes[keys[place]] for place in missing}
    Entity.objects.filter(id=survivor.id).update(
        aliases=[name for name in survivor.aliases if name.casefold() not in gone],
        attributes={
            key: value for key, value in survivor.attributes.items() if key not in came or came[key] != value
        },
    )
