"""Filters as JSON, in one form of the grammar that docs/filters.md describes, and back."""

from datetime import datetime
from typing import Any

from backends.search.filters import (
    FIELDS,
    METADATA,
    And,
    AnyOf,
    Compared,
    Condition,
    Contains,
    Exists,
    Field,
    Filter,
    Not,
    Or,
    Order,
    Truth,
    Type,
    Value,
)


def written(asked: Filter) -> dict[str, Any]:
    """Return a filter as a caller could have sent it."""
    match asked:
        case And(parts=parts):
            return {"AND": [written(part) for part in parts]}
        case Or(parts=parts):
            return {"OR": [written(part) for part in parts]}
        case Not(part=part):
            return {"NOT": written(part)}
    name = asked.field.name if asked.field.key is None else f"{asked.field.name}.{asked.field.key}"
    return {name: _written(asked)}


def reread(data: dict[str, Any]) -> Filter:
    """Return the filter that written() made into JSON; of anything else the doors' own reader makes one."""
    ((name, inner),) = data.items()
    match name:
        case "AND":
            return And(parts=tuple(reread(part) for part in inner))
        case "OR":
            return Or(parts=tuple(reread(part) for part in inner))
        case "NOT":
            return Not(part=reread(inner))
    ((operator, sent),) = inner.items()
    of, _, key = name.partition(".")
    field = Field(name=of, key=key) if of == METADATA else Field(name=name)
    match operator:
        case "in":
            return AnyOf(field=field, values=tuple(_value(field, one) for one in sent))
        case "contains":
            return Contains(field=field, value=_value(field, sent))
        case "exists":
            return Exists(field=field)
    return Compared(field=field, order=Order[operator.upper()], value=_value(field, sent))


def _written(asked: Condition) -> dict[str, Any]:
    match asked:
        case AnyOf(values=values):
            return {"in": [_told(value) for value in values]}
        case Compared(order=order, value=value):
            return {order.name.lower(): _told(value)}
        case Contains(value=value):
            return {"contains": _told(value)}
        case Exists():
            return {"exists": True}


def _told(value: Value) -> str | bool | float:
    if isinstance(value, datetime):
        return value.isoformat()
    return value is Truth.TRUE if isinstance(value, Truth) else value


def _value(field: Field, sent: Any) -> Value:
    if FIELDS[field.name] is Type.MOMENT:
        return datetime.fromisoformat(sent)
    return Truth.of(sent) if isinstance(sent, bool) else sent
