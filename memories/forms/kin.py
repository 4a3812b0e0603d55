"""What recalled memories rest on, as JSON."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework import serializers

from backends.search import names
from memories.models import Memory
from memories.models.memory import Status
from memories.services.kin import Kin


class RelativeAnswer(serializers.Serializer[Any]):
    """One memory beside a recalled one."""

    memory_id = serializers.UUIDField()
    memory_type = serializers.ChoiceField(choices=names.MEMORY_KINDS)
    text = serializers.CharField()
    status = serializers.ChoiceField(choices=Status.choices)


class KinAnswer(serializers.Serializer[Any]):
    """What a memory rests on, and what else rests on the same."""

    parents = RelativeAnswer(many=True)
    turns = serializers.ListField(child=serializers.UUIDField())
    siblings = RelativeAnswer(many=True)


def add_kin(hits: list[dict[str, Any]], kin: Mapping[UUID, Kin]) -> None:
    """Add to each rendered hit that is a memory its kin."""
    for hit in hits:
        own = kin.get(UUID(hit["memory_id"]))
        if own is not None:
            hit["kin"] = {
                "parents": [_relative(row) for row in own.parents],
                "turns": [str(turn_id) for turn_id in own.turn_ids],
                "siblings": [_relative(row) for row in own.siblings],
            }


def _relative(row: Memory) -> dict[str, Any]:
    return {"memory_id": str(row.id), "memory_type": row.memory_type, "text": row.text, "status": row.status}
