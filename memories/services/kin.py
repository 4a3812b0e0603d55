"""The kin of recalled memories: what each rests on, and what else rests on the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q

from memories.models import Memory, Source, Turn
from memories.services.answer_recall import Recalled
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope

SIBLINGS_MAX = 5
"""Of a memory, the newest: a session's summary may have hundreds."""


@dataclass(slots=True, kw_only=True)
class Kin:
    """parents, turn_ids: memories and turns it rests on. siblings: memories that rest on one of these too."""

    parents: list[Memory] = field(default_factory=list)
    turn_ids: list[UUID] = field(default_factory=list)
    siblings: list[Memory] = field(default_factory=list)


def kin_of(scope: Scope, recalled: Recalled) -> dict[UUID, Kin]:
    """Return the kin of each memory of an answer, as far as the scope sees them; siblings only if they are active.

    Raises ScopeDenied, when the scope may not read provenance.
    """
    scope.require(Ability.PROVENANCE_READ)
    ids = [hit.row.id for hit in recalled.hits if isinstance(hit.row, Memory)]
    if not ids:
        return {}
    own_turns = {hit.row.id: getattr(hit.row, "turn_id", None) for hit in recalled.hits}
    with open_scope(recalled.scope):
        standing = Source.objects.filter(voided_at__isnull=True)  # what was reverted is no evidence
        own = list(standing.filter(memory_id__in=ids).order_by("id"))
        turns = {edge.turn_id for edge in own if edge.turn_id}
        turns |= {turn_id for turn_id in own_turns.values() if turn_id}
        turns = set(Turn.objects.filter(id__in=turns).values_list("id", flat=True))  # those that the scope sees
        parents = {edge.parent_id for edge in own if edge.parent_id}
        same = list(standing.filter(Q(turn_id__in=turns) | Q(parent_id__in=parents)).order_by("-id"))
        wanted = parents | {edge.memory_id for edge in same}
        rows = {row.id: row for row in Memory.objects.filter(id__in=wanted).select_related("subject")}
    found = {memory_id: Kin() for memory_id in ids}
    for edge in own:
        kin = found[edge.memory_id]
        if edge.turn_id in turns and edge.turn_id not in kin.turn_ids:
            kin.turn_ids.append(edge.turn_id)
        parent = rows.get(edge.parent_id) if edge.parent_id else None
        if parent is not None and parent not in kin.parents:
            kin.parents.append(parent)
    for memory_id, kin in found.items():
        near = _siblings(memory_id, kin, same, rows, own_turns[memory_id])
        alive = [row for row in near if row.expires_at is None or row.expires_at > recalled.asked.at]
        kin.siblings = alive[:SIBLINGS_MAX]
    return found


def _siblings(
    memory_id: UUID, kin: Kin, same: Sequence[Source], rows: dict[UUID, Memory], own_turn: UUID | None
) -> list[Memory]:
    turns = {*kin.turn_ids, *([own_turn] if own_turn else [])}
    parents = {parent.id for parent in kin.parents}
    near = [edge.memory_id for edge in same if edge.turn_id in turns or edge.parent_id in parents]
    found = [rows[other] for other in dict.fromkeys(near) if other != memory_id and other in rows]
    return [row for row in found if row.closed_at is None and row.accepted_at is not None]
