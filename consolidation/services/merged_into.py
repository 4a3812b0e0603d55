"""Merged into: what has gone into an entity and is in it still."""

from collections.abc import Iterable
from uuid import UUID

from consolidation.models import Receipt
from consolidation.models.receipt import Doing, ReceiptKind
from memories.models import Entity


def merged_into(entity_id: UUID) -> list[Receipt]:
    """Return the merges that an entity survived and nobody has undone, oldest first. The scope is open."""
    rows = Receipt.objects.filter(kind=ReceiptKind.MERGE, undone_at__isnull=True).exclude(root_id=entity_id)
    return list(rows.filter(acts__contains=[[Doing.MERGED.value, str(entity_id)]]).order_by("id"))


def names_of(merges: Iterable[Receipt]) -> set[str]:
    """Return what the merged ones are called, letter case aside. The scope is open."""
    merged = Entity.objects.filter(id__in=[receipt.root_id for receipt in merges])
    return {name.casefold() for entity in merged for name in (entity.name, *entity.aliases)}
