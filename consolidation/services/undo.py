"""Undo: what a receipt says was done is taken back, last first, as far as nothing else has taken its place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from backends.search import names
from consolidation.models import Receipt
from consolidation.models.receipt import Act, ReceiptKind
from consolidation.services.acts import counts_of
from consolidation.services.read_receipt import find_receipt
from consolidation.services.revert import may_revert
from consolidation.services.undo_acts import undo_acts
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope, open_unseen


class AlreadyUndone(Exception):
    """It was undone already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A receipt that was undone. left: what stays as it is, since something has changed there meanwhile."""

    receipt: Receipt
    left: Sequence[Act]


def undo(scope: Scope, kind: ReceiptKind, receipt_id: UUID, *, now: datetime) -> Undone:
    """Take back what a receipt tells of, all in one transaction.

    Raises ScopeDenied, as doing it did; Receipt.DoesNotExist; AlreadyUndone.
    """
    if kind == ReceiptKind.REVERT:
        may_revert(scope)
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        Receipt.objects.select_for_update(no_key=True, of=("self",)).filter(id=receipt_id).first()
        receipt = find_receipt(kind, receipt_id)
        if receipt.undone_at is not None:
            raise AlreadyUndone(f"{kind} {receipt.id} was undone already")
        acts = receipt.done()
        if kind == ReceiptKind.REVERT:
            with open_unseen(scope):
                left = undo_acts(replace(scope, kinds=names.KINDS), acts, unseen=True, now=now)
        else:
            left = undo_acts(scope, acts, unseen=False, now=now)
        Receipt.objects.filter(id=receipt.id).update(undone_at=now)
        event = "evidence.revert_undone" if kind == ReceiptKind.REVERT else "intent.undone"
        data = {**counts_of(acts), "left": len(left)}
        note_event(scope, event, object_ids=[receipt.id], subject=receipt.subject, data=data, now=now)
        transaction.on_commit(lambda: wake("memories.sync"))
        return Undone(receipt=find_receipt(kind, receipt_id), left=left)
