"""Serializers and fields that say no clearly."""

from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.settings import api_settings

from tenants.forms.moments import iso
from tenants.forms.unkeepable import unkeepable_fault
from tenants.ids import EXTERNAL_ID_MAX_LENGTH, external_id_fault

GUESSED_MAX_LENGTH = 64
FAULTS_MAX = 20
"""Faults that one answer lists; whoever sent more will see the others next time."""


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know, and accepts the other spellings it declares.

    spellings: other spelling -> field; sending two spellings of one field is refused.
    """

    spellings: Mapping[str, str] = {}

    def to_internal_value(self, data: Any) -> Any:
        """Return the validated values; raise ValidationError naming every field at fault."""
        if not isinstance(data, dict):
            raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: ["must be a JSON object"]})
        renamed: dict[str, Any] = {}
        faults: dict[str, list[str]] = {}
        for name, value in data.items():
            if len(faults) == FAULTS_MAX:
                raise ValidationError(faults)
            field = self.spellings.get(name, name)
            if field not in self.fields:
                faults[name] = [f"is not a field of this request{self._guess(name)}"]
            elif field in renamed:
                faults[name] = [f"says the same as {field}; send one of them"]
            else:
                renamed[field] = value
        try:
            values = super().to_internal_value(renamed)
        except ValidationError as more:
            raise ValidationError({**faults, **more.detail}) from None  # type: ignore[dict-item]
        if faults:
            raise ValidationError(faults)
        return values

    def _guess(self, name: str) -> str:
        """Return which field may have been meant, as the end of a sentence."""
        near = (
            get_close_matches(name, [*self.fields, *self.spellings], n=1) if len(name) <= GUESSED_MAX_LENGTH else []
        )
        return f"; did you mean {near[0]}?" if near else ""


class ShortListField(serializers.ListField):
    """A list whose length is looked at before its items are."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """Return the items, each as its field returns it."""
        if isinstance(data, list) and self.max_length is not None and len(data) > self.max_length:
            raise ValidationError(f"must have at most {self.max_length} items, has {len(data)}")
        return super().to_internal_value(data)


class ItemField(serializers.Field[Any, Any, Any, Any]):
    """One item of a list, whatever it is; a form of its own looks at it. of: that form, for the OpenAPI document."""

    def __init__(self, *, of: type[StrictSerializer], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.of = of

    def to_internal_value(self, data: Any) -> Any:
        """Return the item unchanged."""
        return data

    def to_representation(self, value: Any) -> Any:
        """Return the item unchanged."""
        return value


class ExternalIdField(serializers.Field[str, Any, str, Any]):
    """A caller's id: a string of 1–255 code points without control characters, kept exactly."""

    def to_internal_value(self, data: Any) -> str:
        """Return the id unchanged."""
        if not isinstance(data, str):
            raise ValidationError("must be a string")
        fault = external_id_fault(data)
        if fault is not None:
            raise ValidationError(f"{fault} (an id has 1 to {EXTERNAL_ID_MAX_LENGTH} characters)")
        return data

    def to_representation(self, value: str) -> str:
        """Return the id unchanged."""
        return value


class TextField(serializers.Field[str, Any, str, Any]):
    """Text kept exactly as sent: not blank, not over-long, never trimmed, and nothing Postgres cannot keep."""

    def __init__(self, *, max_length: int, blank: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length
        self.blank = blank

    def to_internal_value(self, data: Any) -> str:
        """Return the text unchanged."""
        if not isinstance(data, str):
            raise ValidationError("must be a string")
        if not self.blank and not data.strip():
            raise ValidationError("must not be blank")
        if len(data) > self.max_length:
            raise ValidationError(f"must have at most {self.max_length} characters, has {len(data)}")
        fault = unkeepable_fault(data)
        if fault is not None:
            raise ValidationError(fault)
        return data

    def to_representation(self, value: str) -> str:
        """Return the text unchanged."""
        return value


class MomentField(serializers.Field[datetime, Any, str, Any]):
    """A moment in ISO 8601 with an offset (or Z), from year 1 to 9999; returned in UTC."""

    def to_internal_value(self, data: Any) -> datetime:
        """Return the moment in UTC; a naive one is refused, since nobody knows when it was."""
        if not isinstance(data, str):
            raise ValidationError("must be a string like 2026-03-01T09:30:00+01:00")
        try:
            moment = datetime.fromisoformat(data)
        except ValueError as error:
            raise ValidationError("must be ISO 8601, like 2026-03-01T09:30:00+01:00") from error
        if moment.tzinfo is None:
            raise ValidationError("must say its offset, like 2026-03-01T09:30:00+01:00 or …Z")
        try:
            return moment.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError("must lie between the years 1 and 9999") from error

    def to_representation(self, value: datetime) -> str:
        """Return ISO 8601 in UTC with Z."""
        return str(iso(value))
