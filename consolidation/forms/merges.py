"""How a merge of entities is answered."""

from typing import Any

from rest_framework import serializers

from consolidation.models import Receipt
from consolidation.models.receipt import Doing
from tenants.forms.moments import iso

Plain = serializers.Serializer[Any]


class MergeAnswer(Plain):
    """A merge of two entities."""

    id = serializers.UUIDField()
    survivor_id = serializers.UUIDField()
    merged_id = serializers.UUIDField()
    why = serializers.CharField(help_text="asked, or alias_table where consolidation found it.")
    merged_at = serializers.DateTimeField()
    unmerged_at = serializers.DateTimeField(allow_null=True)


def rendered_merge(receipt: Receipt) -> dict[str, Any]:
    """Return a merge; not how much went along, since the key may see only some of it."""
    survivor_id = next(act.other for act in receipt.done() if act.doing is Doing.MERGED)
    return {
        "id": str(receipt.id),
        "survivor_id": str(survivor_id),
        "merged_id": str(receipt.root_id),
        "why": receipt.verb,
        "merged_at": iso(receipt.made_at),
        "unmerged_at": iso(receipt.undone_at) if receipt.undone_at else None,
    }
