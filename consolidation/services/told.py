"""Told: what of a receipt its reader may be told."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from consolidation.models import Receipt
from consolidation.models.receipt import Act, Doing
from memories.models import Memory
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The acts on memories that the scope sees, and how many more there were on memories that it does not."""

    acts: Sequence[Act]
    unseen: int


def told_of(scope: Scope, receipt: Receipt) -> Told:
    """Return what a scope may be told of a receipt. Edges of provenance are no rows that anybody is told of."""
    acts = [act for act in receipt.done() if act.doing is not Doing.VOIDED]
    named = {row for act in acts for row in (act.row, act.other) if row is not None}
    with open_scope(scope):
        rows = Memory.objects.filter(id__in=named, memory_type__in=scope.kinds)
        seen = set(rows.values_list("id", flat=True))
    of_memories = [act for act in acts if not act.of_relation]
    told = [act for act in of_memories if _names_only(act, seen)]
    return Told(acts=told, unseen=len(of_memories) - len(told))


def _names_only(act: Act, seen: "set[UUID]") -> bool:
    return {row for row in (act.row, act.other) if row is not None} <= seen
