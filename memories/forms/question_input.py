"""A question as requests ask it."""

from typing import Any

from rest_framework import serializers

from backends.search import names
from memories.forms.filters import FiltersField
from memories.services.question import Question
from tenants.forms.strict import ExternalIdField, MomentField, ShortListField, StrictSerializer, TextField

QUERY_MAX_LENGTH = 4_000
TOP_K_MAX = 100
TOP_K = 10


class QuestionInput(StrictSerializer):
    """One question, and what its answer is limited to."""

    query = TextField(max_length=QUERY_MAX_LENGTH)
    user_id = ExternalIdField(required=False)
    memory_types = ShortListField(
        child=serializers.ChoiceField(choices=names.KINDS), min_length=1, max_length=len(names.KINDS), required=False
    )
    include_catalog = serializers.BooleanField(default=True)
    include_superseded = serializers.BooleanField(default=False)
    include_archived = serializers.BooleanField(
        default=False,
        help_text="Look also among what was forgotten; such a hit shows its first words, memories/{id}/ the whole.",
    )
    include_shared = serializers.BooleanField(
        default=True, help_text="false leaves out what was written without a user_id and so belongs to all users."
    )
    as_of = MomentField(required=False)
    valid_at = MomentField(required=False)
    filters = FiltersField(required=False)


def question_of(asked: dict[str, Any], *, top_k: int = TOP_K, **more: Any) -> Question:
    """Return the question of a validated QuestionInput."""
    return Question(
        query=asked["query"],
        user_id=asked.get("user_id"),
        top_k=top_k,
        memory_types=tuple(asked["memory_types"]) if "memory_types" in asked else None,
        include_catalog=asked["include_catalog"],
        include_superseded=asked["include_superseded"],
        include_archived=asked["include_archived"],
        include_shared=asked["include_shared"],
        as_of=asked.get("as_of"),
        valid_at=asked.get("valid_at"),
        filters=asked.get("filters"),
        **more,
    )
