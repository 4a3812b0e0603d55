"""Read a receipt."""

from uuid import UUID

from consolidation.models import Receipt
from consolidation.models.receipt import ReceiptKind
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope


def find_receipt(kind: ReceiptKind, receipt_id: UUID) -> Receipt:
    """Return a receipt. A scope is open. Raises Receipt.DoesNotExist, when it sees none of the kind."""
    return Receipt.objects.select_related("subject").get(id=receipt_id, kind=kind)


def read_receipt(scope: Scope, kind: ReceiptKind, receipt_id: UUID) -> Receipt:
    """Return the receipt of a revert or of an intent. Raises ScopeDenied; Receipt.DoesNotExist."""
    scope.require(Ability.REVIEW if kind == ReceiptKind.REVERT else Ability.MEMORIES_READ)
    with open_scope(scope):
        return find_receipt(kind, receipt_id)
