"""Filters as a caller writes them."""

from datetime import datetime
from typing import Any

from backends.search.filters import And, AnyOf, Compared, Contains, Exists, Field, Filter, Not, Or


def written(asked: Filter) -> dict[str, Any]:
    """Return a filter as JSON."""
    match asked:
        case And(parts=parts):
            return {"AND": [written(part) for part in parts]}
        case Or(parts=parts):
            return {"OR": [written(part) for part in parts]}
        case Not(part=AnyOf(field=field, values=values)):
            return {named(field): {"nin": [told(value) for value in values]}}
        case Not(part=Exists(field=field)):
            return {named(field): {"exists": False}}
        case Not(part=part):
            return {"NOT": written(part)}
    return {named(asked.field): _condition(asked)}


def _condition(asked: AnyOf | Compared | Contains | Exists) -> Any:
    match asked:
        case AnyOf(values=(value,)):
            return told(value)
        case AnyOf(values=values):
            return {"in": [told(value) for value in values]}
        case Compared(order=order, value=value):
            return {order.name.lower(): told(value)}
        case Contains(value=value):
            return {"contains": value}
        case Exists():
            return {"exists": True}


def named(field: Field) -> str:
    return field.name if field.key is None else f"{field.name}.{field.key}"


def told(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
