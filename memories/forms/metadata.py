"""Metadata and tags of the caller's own."""

import json
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from tenants.forms.strict import ShortListField, TextField

METADATA_MAX_BYTES = 8_192
TAGS_MAX = 32
IDENTITY_NAMES = frozenset({"tenant_id", "tenant", "user_id", "subject_id", "agent_id", "session_id", "run_id",
                            "thread_id"})  # fmt: skip


class MetadataField(serializers.DictField):
    """A JSON object; refused when it is large, or looks like an attempt to change the scope."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object unchanged."""
        value: dict[str, Any] = super().to_internal_value(data)
        claimed = sorted(IDENTITY_NAMES & value.keys())
        if claimed:
            raise ValidationError(f"must not hold {', '.join(claimed)}; send it as a field of its own")
        size = len(json.dumps(value, ensure_ascii=False).encode())
        if size > METADATA_MAX_BYTES:
            raise ValidationError(f"must have at most {METADATA_MAX_BYTES} bytes as JSON, has {size}")
        return value


class TagsField(ShortListField):
    """Short labels, each once, in the order given."""

    def __init__(self, *, tag_max_length: int, **kwargs: Any) -> None:
        super().__init__(child=TextField(max_length=tag_max_length), max_length=TAGS_MAX, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        """Return the labels without repetitions."""
        return list(dict.fromkeys(super().to_internal_value(data)))
