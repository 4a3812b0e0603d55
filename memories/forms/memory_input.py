"""Memories as they come in."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from backends.search import names
from memories.forms.compartments import CompartmentsField
from memories.forms.metadata import MetadataField, TagsField
from memories.models.memory import (
    CATEGORY_MAX_LENGTH,
    MEMORY_TEXT_MAX_LENGTH,
    SLOT_MAX_LENGTH,
    TAG_MAX_LENGTH,
    Contradiction,
)
from memories.services.new_memory import NewMemory, Span
from memories.trust import CHOICES, Trust
from tenants.forms.strict import ExternalIdField, MomentField, ShortListField, StrictSerializer, TextField

SOURCES_MAX = 50
TTL_MAX_DAYS = 36_500


class SpanInput(StrictSerializer):
    """A span of a turn: half-open offsets in code points; left out = the whole turn."""

    turn_id = serializers.UUIDField()
    start = serializers.IntegerField(min_value=0, default=0)
    end = serializers.IntegerField(min_value=1, required=False)


class CommonInput(StrictSerializer):
    """What memories of every type have in common."""

    category = TextField(max_length=CATEGORY_MAX_LENGTH, required=False)
    predicate = TextField(max_length=SLOT_MAX_LENGTH, required=False)
    slot = TextField(max_length=SLOT_MAX_LENGTH, required=False)
    importance = serializers.FloatField(min_value=0, max_value=1, required=False)
    tags = TagsField(tag_max_length=TAG_MAX_LENGTH, required=False)
    metadata = MetadataField(required=False)
    sensitive_notes = TextField(max_length=MEMORY_TEXT_MAX_LENGTH, required=False)
    valid_from = MomentField(required=False)
    valid_to = MomentField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a period that ends before it begins."""
        start, end = attrs.get("valid_from"), attrs.get("valid_to")
        if start is not None and end is not None and end < start:
            raise ValidationError({"valid_to": "must not lie before valid_from"})
        return attrs


class ChangesInput(CommonInput):
    """The fields of a memory that a correction may change."""

    text = TextField(max_length=MEMORY_TEXT_MAX_LENGTH, required=False)


class PlainMemoryInput(CommonInput):
    """What a fact and a playbook have in common on their way in."""

    user_id = ExternalIdField(required=False)
    agent_id = ExternalIdField(required=False)
    entity_id = serializers.UUIDField(required=False)
    confidence = serializers.FloatField(min_value=0, max_value=1, default=1.0)
    trust = serializers.ChoiceField(
        choices=CHOICES,
        required=False,
        help_text="Where it comes from, if that is less trusted than the key and the sources are.",
    )
    ttl_days = serializers.IntegerField(min_value=1, max_value=TTL_MAX_DAYS, required=False)
    supersedes_id = serializers.UUIDField(required=False)
    contradiction = serializers.ChoiceField(choices=Contradiction.choices, required=False)
    sources: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=SpanInput(), max_length=SOURCES_MAX, required=False
    )
    compartments = CompartmentsField()
    parent_ids = ShortListField(child=serializers.UUIDField(), max_length=SOURCES_MAX, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a contradiction of nothing."""
        if "contradiction" in attrs and "supersedes_id" not in attrs:
            raise ValidationError({"contradiction": "says how supersedes_id is contradicted; send both or none"})
        return super().validate(attrs)


class MemoryInput(PlainMemoryInput):
    """A fact: one assertion about a user, or shared by all."""

    text = TextField(max_length=MEMORY_TEXT_MAX_LENGTH)
    memory_type = serializers.ChoiceField(choices=names.WRITTEN_KINDS, default=names.SEMANTIC)


def new_memory(values: dict[str, Any], **more: Any) -> NewMemory:
    """Return validated values as learn takes them; more: fields that the request has under other names."""
    spans = tuple(
        Span(turn_id=span["turn_id"], start=span["start"], end=span.get("end")) for span in values.get("sources", ())
    )
    plain = {name: value for name, value in values.items() if name not in {"sources", "parent_ids", "tags"}}
    if "compartments" in plain:
        plain["compartments"] = tuple(plain["compartments"])
    if "trust" in plain:
        plain["trust"] = Trust(plain["trust"])
    if "contradiction" in plain:
        plain["contradiction"] = Contradiction(plain["contradiction"])
    return NewMemory(
        **{
            **plain,
            "tags": tuple(values.get("tags", ())),
            "spans": spans,
            "parents": tuple(values.get("parent_ids", ())),
            **more,
        }
    )
