"""A filter judged in plain Python, as docs/filters.md tells it; engines, record and lists are held to it."""

import operator
from decimal import Decimal
from typing import Any

from backends.search.facets import Facts
from backends.search.filters import And, AnyOf, Compared, Contains, Exists, Field, Filter, Not, Or, Order

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
        case Exists(field=field):
            return bool(elements(field, facts))
        case AnyOf(field=field, values=values):
            return any(same(item, value) for item in elements(field, facts) for value in values)
        case Compared(field=field, order=order, value=value):
            return any(
                sort(item) == sort(value) and ORDERS[order](exact(item), exact(value))
                for item in elements(field, facts)
            )
        case Contains(field=field, value=value):
            held = value_of(field, facts)
            if isinstance(held, list):
                return any(same(item, value) for item in held)
            return isinstance(held, str) and isinstance(value, str) and value in held


def value_of(field: Field, facts: Facts) -> Any:
    held = facts.get(field.name)
    return held if field.key is None else (held or {}).get(field.key)


def elements(field: Field, facts: Facts) -> list[Any]:
    """Return the values a field has: of a list its elements, null is none."""
    held = value_of(field, facts)
    return [item for item in (held if isinstance(held, list) else [held]) if item is not None]


def sort(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__


def exact(value: Any) -> Any:
    """Return what is compared: numbers by their decimal form."""
    return Decimal(repr(value)) if sort(value) == "number" else value


def same(item: Any, value: Any) -> bool:
    return sort(item) == sort(value) and bool(exact(item) == exact(value))
