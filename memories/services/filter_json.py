"""A filter as JSON, and back: a stored question is asked again with the same filter."""

from datetime import datetime
from typing import Any

from backends.search.filters import And, AnyOf, Compared, Contains, Exists, Field, Filter, Not, Or, Order, Value


def filter_to_json(asked: Filter) -> dict[str, Any]:
    """Return a filter as JSON."""
    match asked:
        case And(parts=parts):
            return {"and": [filter_to_json(part) for part in parts]}
        case Or(parts=parts):
            return {"or": [filter_to_json(part) for part in parts]}
        case Not(part=part):
            return {"not": filter_to_json(part)}
        case AnyOf(values=values):
            return {**_field(asked.field), "any_of": [_value(value) for value in values]}
        case Compared(order=order, value=value):
            return {**_field(asked.field), order.value: _value(value)}
        case Contains(value=value):
            return {**_field(asked.field), "contains": _value(value)}
        case Exists():
            return {**_field(asked.field), "exists": True}


def filter_from_json(said: dict[str, Any]) -> Filter:
    """Return the filter that filter_to_json made this of."""
    if "and" in said:
        return And(parts=tuple(map(filter_from_json, said["and"])))
    if "or" in said:
        return Or(parts=tuple(map(filter_from_json, said["or"])))
    if "not" in said:
        return Not(part=filter_from_json(said["not"]))
    field = Field(name=said["field"], key=said.get("key"))
    if "any_of" in said:
        return AnyOf(field=field, values=tuple(map(_unvalue, said["any_of"])))
    if "contains" in said:
        return Contains(field=field, value=said["contains"])
    order = next((order for order in Order if order.value in said), None)
    return (
        Exists(field=field)
        if order is None
        else Compared(field=field, order=order, value=_unvalue(said[order.value]))
    )


def _field(field: Field) -> dict[str, Any]:
    return {"field": field.name} if field.key is None else {"field": field.name, "key": field.key}


def _value(value: Value) -> Any:
    return {"moment": value.isoformat()} if isinstance(value, datetime) else value


def _unvalue(said: Any) -> Value:
    value: Value = datetime.fromisoformat(said["moment"]) if isinstance(said, dict) else said
    return value
