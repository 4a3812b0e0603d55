"""Unrelate: what a turn told of relations beside its facts is taken back."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import F

from consolidation.models import Decision, Receipt
from consolidation.models.decision import Verdict
from consolidation.models.receipt import Act, Doing, ReceiptKind
from consolidation.services.follow_facts import of_relation
from consolidation.services.in_play import reverted_turns
from consolidation.services.root import Root
from memories.models import Relation
from memories.services.relations import close_relation
from tenants.scope import Scope


def unrelate(scope: Scope, root: Root, *, now: datetime) -> Iterator[Act]:
    """Close the relations that a turn alone told; one that others told too has less weight, once.

    The scope is open.
    """
    if root.turn_id is None:
        return
    told = Decision.objects.filter(verdict=Verdict.RELATED, relation__isnull=False)
    own = told.filter(turn_id=root.turn_id).values("relation_id")
    standing = Receipt.objects.filter(kind=ReceiptKind.REVERT, root_id=root.turn_id, undone_at__isnull=True)
    taken = {act.row for receipt in standing for act in receipt.done() if act.doing is Doing.UNTOLD}
    for relation in list(Relation.objects.filter(id__in=own, closed_at__isnull=True).order_by("id")):
        others = told.filter(relation_id=relation.id).exclude(turn_id=root.turn_id)
        if relation.id in taken:
            continue
        if others.exclude(turn_id__in=reverted_turns()).exists() and relation.weight > 1:
            Relation.objects.filter(id=relation.id).update(weight=F("weight") - 1)
            yield Act(doing=Doing.UNTOLD, row=relation.id)
        else:
            close_relation(of_relation(scope, relation), relation.id, now=now)
            yield Act(doing=Doing.RELATION, row=relation.id)
