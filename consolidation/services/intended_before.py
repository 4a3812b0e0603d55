"""What an intent did that comes again under its Idempotency-Key: told by its receipt, nothing is done twice."""

from collections.abc import Sequence
from uuid import UUID

from consolidation.models import Receipt
from consolidation.rules.intents.asked import Asked, Verb
from consolidation.services.intended import Intended, State, rows_of
from memories.services.idempotency import AnswerGone
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


def kept_ids(intended: Intended) -> list[UUID]:
    """Return the ids that an intent is told by again; they begin with whose it is, whose erasure removes them."""
    if intended.subject_id is None:
        return []
    receipt = [intended.receipt.id] if intended.receipt is not None else []
    return [intended.subject_id, *receipt, *intended.said_in]


def intended_before(scope: Scope, kept: Sequence[UUID] | None) -> Intended | None:
    """Return what was done before, its memories as they are now; None where nothing was changed.

    Raises AnswerGone, when what it did was erased since.
    """
    if kept is None or not kept[1:]:
        return None
    subject_id, receipt_id, *said_in = kept
    with open_scope(scope.narrowed_to(subject_id)):
        receipt = Receipt.objects.filter(id=receipt_id).first()
        if receipt is None:
            raise AnswerGone("Idempotency-Key: what it did was erased since; use a new one")
        acts = tuple(receipt.done())
        return Intended(
            asked=Asked(verb=Verb(receipt.verb), method=receipt.method),
            state=State.DONE,
            acts=acts,
            rows=rows_of(scope, acts),
            said_in=said_in,
            receipt=receipt,
            replayed=True,
        )
