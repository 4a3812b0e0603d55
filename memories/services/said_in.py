"""Said in: the turn that a fact was read from, so that each hit names where it comes from."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from memories.models import Memory, Source, Turn
from memories.services.any_of import AnyOf


def said_in(rows: Iterable[Any]) -> dict[UUID, Turn]:
    """Return, of each memory that is no turn itself, the newest turn it still rests on; a scope is open.

    What was written through the API, and what the scope may not see, has none.
    """
    ids = [row.id for row in rows if isinstance(row, Memory) and getattr(row, "turn_id", None) is None]
    if not ids:
        return {}
    edges = Source.objects.filter(AnyOf("memory_id", ids), turn__isnull=False, voided_at__isnull=True)
    newest = edges.order_by("memory_id", "-turn__occurred_at", "-id").distinct("memory_id")
    # Who the turn is of is told, not what it says: a fact may rest on many long ones.
    return {edge.memory_id: edge.turn for edge in newest.select_related("turn__session").defer("turn__content")}
