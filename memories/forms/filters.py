"""Filters as they come in, in a body or in a query."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from backends.search.filters import FIELDS, Filter, Type
from memories.forms.filter_reader import CONDITIONS_MAX, DEPTH_MAX, Reader
from memories.forms.filter_values import OPERATORS
from tenants.forms.strict_json import strict_json

QUERY_MAX_LENGTH = 8_000
DESCRIPTION = (
    "Conditions on what is answered with, such as "
    '{"tags": "home", "importance": {"gte": 0.5}, "NOT": {"metadata.source": {"in": ["test", "demo"]}}}; see '
    f"docs/filters.md. AND and OR take lists, NOT one filter; at most {DEPTH_MAX} deep, {CONDITIONS_MAX} conditions. "
    f"Several names in one object must all hold. Operators: {', '.join(OPERATORS[Type.ANY])}. Fields: "
    f"{', '.join(name for name, sort in FIELDS.items() if sort is not Type.ANY)}, metadata.<key>; "
    "run_id and thread_id are session_id, occurred_at is valid_from. "
    "A row that lacks a field passes ne, nin and NOT, and nothing else."
)
EXAMPLE = {"tags": "home", "importance": {"gte": 0.5}}


class FiltersField(serializers.Field[Filter | None, Any, Any, Any]):
    """A filter as an object of a body; an empty one restricts nothing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"help_text": DESCRIPTION, **kwargs})

    def to_internal_value(self, data: Any) -> Filter | None:
        """Return the filter. Raises ValidationError, which names each place at fault."""
        if data == {}:
            return None
        reader = Reader()
        found = reader.read(data, "", depth=1)
        if reader.faults:
            raise ValidationError(reader.faults)
        return found

    def to_representation(self, value: Any) -> Any:
        """Return the filter as it is; none is ever shown."""
        return value


class FiltersQueryField(FiltersField):
    """A filter as JSON text in a query."""

    def to_internal_value(self, data: Any) -> Filter | None:
        """Return the filter. Raises ValidationError, when it is not JSON, too, or too long."""
        if len(data) > QUERY_MAX_LENGTH:
            raise ValidationError(f"must have at most {QUERY_MAX_LENGTH} characters, has {len(data)}")
        try:
            loaded = strict_json(data)
        except RecursionError as error:
            raise ValidationError("is nested too deeply") from error
        except ValueError as error:
            raise ValidationError(f"is not JSON: {error}") from error
        return super().to_internal_value(loaded)


class FiltersSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A filter in a body."""

    target_class = FiltersField

    def map_serializer_field(self, *_: Any) -> dict[str, Any]:
        """Return the schema of a filter."""
        return {"type": "object", "additionalProperties": True, "example": EXAMPLE}


class FiltersQuerySchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """A filter in a query."""

    target_class = FiltersQueryField

    def map_serializer_field(self, *_: Any) -> dict[str, Any]:
        """Return the schema of a filter's text."""
        return {"type": "string", "maxLength": QUERY_MAX_LENGTH, "example": '{"tags": "home"}'}
