"""A filter judged in plain Python, as docs/filters.md tells it; engines, record and lists are held to it."""

import operator
from decimal import Decimal
from typing import Any

from backends.search.facets import Facts
from backends.search.filters import And, AnyOf, Compared, Contains, Exists, Field, Filter, Not, Or, Order, Truth

ORDERS = {Order.GT: operator.gt, Order.GTE: operator.ge, Order.LT: operator.lt, Order.LTE: operator.le}


def holds(asked: Filter, facts: Facts) -> bool:
    """Say whether a filter holds for what has these facts."""
    match asked:
        case And(parts=parts):
            return all(holds(part, facts) for part in parts)
        case Or(parts=parts):
            return any(holds(part, facts) for part in parts)
        case Not(part=part):
            return not holds(part, facts)
        case Contains(field=field, value=value):
            held = value_of(field, facts)
            return value in held if is_text(held) and is_text(value) else isinstance(held, list) and has(held, value)
        case _:
            return any(meets(asked, item) for item in elements(asked.field, facts))


def meets(asked: AnyOf | Compared | Exists, item: Any) -> bool:
    """Say whether one value meets a condition."""
    match asked:
        case AnyOf(values=values):
            return any(same(item, value) for value in values)
        case Compared(order=order, value=value):
            return sort(item) == sort(value) and bool(ORDERS[order](exact(item), exact(value)))
        case Exists():
            return True


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def has(items: list[Any], value: Any) -> bool:
    return any(same(item, value) for item in items)


def value_of(field: Field, facts: Facts) -> Any:
    held = facts.get(field.name)
    return held if field.key is None else (held or {}).get(field.key)


def elements(field: Field, facts: Facts) -> list[Any]:
    """Return the values a field has: of a list its elements, null is none."""
    held = value_of(field, facts)
    return [item for item in (held if isinstance(held, list) else [held]) if item is not None]


def sort(value: Any) -> str:
    if isinstance(value, bool | Truth):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__


def exact(value: Any) -> Any:
    """Return what is compared: numbers by their decimal form."""
    if sort(value) == "number":
        return Decimal(repr(value))
    return value is True or value is Truth.TRUE if sort(value) == "bool" else value


def same(item: Any, value: Any) -> bool:
    return sort(item) == sort(value) and bool(exact(item) == exact(value))
