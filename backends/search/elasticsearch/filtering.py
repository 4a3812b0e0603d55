"""A caller's filter as literal clauses: term, terms, range, exists, and wildcard with its own signs escaped."""

from typing import Any

from backends.search.facets import FACETS, MICROS, after, home, micros, prefix, presence, token, tokens
from backends.search.filters import (
    FIELDS,
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
    Type,
    Value,
)

Clause = dict[str, Any]

_WILD = str.maketrans({"*": "\\*", "?": "\\?", "\\": "\\\\"})


def filter_clause(asked: Filter) -> Clause:
    """Return the clause of a filter, which documents pass too that are older than what it asks for."""
    return _any([_clause(asked), _not({"exists": {"field": FACETS}})])


def _clause(asked: Filter) -> Clause:
    match asked:
        case And(parts=parts):
            return {"bool": {"filter": [_clause(part) for part in parts]}}
        case Or(parts=parts):
            return _any([_clause(part) for part in parts])
        case Not(part=part):
            return _not(_clause(part))
    return _of_moments(asked) if FIELDS[asked.field.name] is Type.MOMENT else _of_tokens(asked)


def _of_moments(asked: Condition) -> Clause:
    name = MICROS[asked.field.name]
    match asked:
        case AnyOf(values=values):
            return {"terms": {name: [micros(value) for value in values]}}
        case Compared(order=order, value=value):
            return {"range": {name: {order.name.lower(): micros(value)}}}
        case Exists():
            return {"exists": {"field": name}}
    raise TypeError("a moment contains nothing")


def _of_tokens(asked: Condition) -> Clause:
    name = home(asked.field)
    match asked:
        case AnyOf(field=field, values=values):
            return {"terms": {name: tokens(field, values)}}
        case Compared(field=field, order=order, value=value):
            return _any([_range(field, order, value, in_list=in_list) for in_list in (False, True)])
        case Contains(field=field, value=value):
            return _contains(field, value)
        case Exists(field=field):
            return {"term": {name: presence(field)}}


def _range(field: Field, order: Order, value: Value, *, in_list: bool) -> Clause:
    """Return the range of a field's tokens of the value's type."""
    start, bound = prefix(field, value, in_list=in_list), token(field, value, in_list=in_list)
    if order in (Order.GT, Order.GTE):
        return {"range": {home(field): {order.name.lower(): bound, "lt": after(start)}}}
    return {"range": {home(field): {"gte": start, order.name.lower(): bound}}}


def _contains(field: Field, value: Value) -> Clause:
    element = {"term": {home(field): token(field, value, in_list=True)}}
    if not isinstance(value, str):
        return element
    start = prefix(field, value, in_list=False)
    pattern = f"{start.translate(_WILD)}*{value.translate(_WILD)}*"
    return _any([element, {"wildcard": {home(field): {"value": pattern}}}])


def _any(clauses: list[Clause]) -> Clause:
    return {"bool": {"should": clauses, "minimum_should_match": 1}}


def _not(clause: Clause) -> Clause:
    return {"bool": {"must_not": [clause]}}
