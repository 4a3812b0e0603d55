"""JSON read into a filter of plain values, or one sentence for each place at fault."""

from collections.abc import Callable
from typing import Any, TypeVar

from rest_framework.exceptions import ValidationError
from rest_framework.settings import api_settings

from backends.search.filters import (
    FIELDS,
    And,
    AnyOf,
    Compared,
    Contains,
    Exists,
    Field,
    Filter,
    Not,
    Or,
    Order,
    Truth,
    Type,
)
from memories.forms.filter_values import OPERATORS, PART_MAX_LENGTH, field_of, text, value_of
from tenants.forms.strict import FAULTS_MAX

DEPTH_MAX = 8
CONDITIONS_MAX = 64
CONTAINS_MAX = 8
"""Of the conditions: what a search of all strings costs is some hundred times another's."""
VALUES_MAX = 100

Read = TypeVar("Read")


class Reader:
    """One reading of a filter. faults: path -> what is wrong there."""

    def __init__(self) -> None:
        self.faults: dict[str, list[str]] = {}
        self._conditions = self._contains = 0

    def read(self, data: Any, path: str, *, depth: int) -> Filter | None:
        """Return the filter that stands at a path; None, when it has a fault."""
        if depth > DEPTH_MAX:
            return self._fault(path, f"must not be nested more than {DEPTH_MAX} deep")
        if not isinstance(data, dict) or not data:
            return self._fault(path, 'must be an object with conditions, like {"tags": "home"}')
        parts: list[Filter] = []
        seen: dict[Field, str] = {}
        for name, value in data.items():
            if len(self.faults) >= FAULTS_MAX:
                break
            at = f"{path}.{name}" if path else name
            if name in ("AND", "OR"):
                part = self._several(name, value, at, depth=depth)
            elif name == "NOT":
                inner = self.read(value, at, depth=depth + 1)
                part = Not(part=inner) if inner is not None else None
            else:
                part = self._field(name, value, at, seen)
            if part is not None:
                parts.append(part)
        return parts[0] if len(parts) == 1 else And(parts=tuple(parts)) if parts else None

    def _several(self, name: str, value: Any, path: str, *, depth: int) -> Filter | None:
        if not isinstance(value, list) or not 0 < len(value) <= CONDITIONS_MAX:
            return self._fault(path, f"must be a list of 1 to {CONDITIONS_MAX} filters")
        read = [self.read(item, f"{path}.{index}", depth=depth + 1) for index, item in enumerate(value)]
        parts = tuple(part for part in read if part is not None)
        return And(parts=parts) if name == "AND" else Or(parts=parts)

    def _field(self, name: str, value: Any, path: str, seen: dict[Field, str]) -> Filter | None:
        field = self._tried(path, field_of, name)
        if field is None:
            return None
        if seen.setdefault(field, name) != name:
            return self._fault(path, f"says the same as {seen[field]}; send one of them, or both inside AND")
        if not isinstance(value, dict):
            return self._condition(field, "eq", value, path)
        if not value:
            return self._fault(path, f"must be a value or an operator with one; use {_allowed(field)}")
        read = [self._operator(field, operator, sent, path) for operator, sent in value.items()]
        parts = tuple(part for part in read if part is not None)
        return parts[0] if len(parts) == 1 else And(parts=parts)

    def _operator(self, field: Field, operator: str, sent: Any, path: str) -> Filter | None:
        if operator not in OPERATORS[Type.ANY]:
            return self._fault(path, f"{operator[:32]} is not an operator; use {_allowed(field)}")
        if operator not in OPERATORS[FIELDS[field.name]]:
            return self._fault(path, f"{operator} does not fit this field; use {_allowed(field)}")
        return self._condition(field, operator, sent, f"{path}.{operator}")

    def _condition(self, field: Field, operator: str, sent: Any, path: str) -> Filter | None:
        self._conditions += 1
        if self._conditions > CONDITIONS_MAX:
            return self._fault(api_settings.NON_FIELD_ERRORS_KEY, f"must have at most {CONDITIONS_MAX} conditions")
        self._contains += operator == "contains"
        if self._contains > CONTAINS_MAX:
            return self._fault(path, f"a filter must have at most {CONTAINS_MAX} contains")
        return self._tried(path, _condition, field, operator, sent)

    def _tried(self, path: str, read: Callable[..., Read], *arguments: Any) -> Read | None:
        """Return what reading gives, or note its faults."""
        try:
            return read(*arguments)
        except ValidationError as error:
            faults = error.detail if isinstance(error.detail, dict) else {"": error.detail}
            for inner, messages in faults.items():
                self._fault(f"{path}.{inner}" if inner else path, str(messages[0]))  # type: ignore[index]
        return None

    def _fault(self, path: str, message: str) -> Filter | None:
        """Note a fault, and return what a part with one is."""
        if len(self.faults) < FAULTS_MAX:
            self.faults.setdefault(path or api_settings.NON_FIELD_ERRORS_KEY, [message])
        return None


def _condition(field: Field, operator: str, sent: Any) -> Filter:
    """Return one condition. Raises ValidationError, for a list with the number of each item at fault."""
    if operator in ("in", "nin"):
        found: Filter = AnyOf(field=field, values=tuple(_values(field, sent)))
        return found if operator == "in" else Not(part=found)
    if operator == "exists":
        if not isinstance(sent, bool):
            raise ValidationError("must be true or false")
        return Exists(field=field) if sent else Not(part=Exists(field=field))
    if operator == "contains" and FIELDS[field.name] is not Type.LIST:
        return Contains(field=field, value=_part(field, sent))
    value = value_of(field, sent)
    if operator in ("gt", "gte", "lt", "lte"):
        if isinstance(value, Truth):
            raise ValidationError("must be a string or a number; true and false have no order")
        return Compared(field=field, order=Order[operator.upper()], value=value)
    found = AnyOf(field=field, values=(value,))
    return Not(part=found) if operator == "ne" else found


def _part(field: Field, sent: Any) -> Any:
    """Return what is looked for in a string, or, in metadata, in a list."""
    if isinstance(sent, str) or FIELDS[field.name] is Type.TEXT:
        if not text(sent, max_length=PART_MAX_LENGTH):
            raise ValidationError("must not be empty")
        return sent
    return value_of(field, sent)


def _values(field: Field, sent: Any) -> list[Any]:
    if not isinstance(sent, list) or not 0 < len(sent) <= VALUES_MAX:
        raise ValidationError(f"must be a list of 1 to {VALUES_MAX} values")
    values, faults = [], {}
    for index, item in enumerate(sent):
        try:
            values.append(value_of(field, item))
        except ValidationError as error:
            faults[str(index)] = error.detail
    if faults:
        raise ValidationError(faults)
    return values


def _allowed(field: Field) -> str:
    return ", ".join(OPERATORS[FIELDS[field.name]])
