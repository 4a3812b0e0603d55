"""A caller's filter as a condition on single documents d: constant SQL, every value of the caller's a parameter."""

from collections.abc import Mapping
from typing import Any

from backends.search.facets import APART, MICROS, after, home, micros, prefix, presence, token, tokens
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


class FilterSQL:
    """A filter as SQL, and its parameters by name; documents pass too that are older than what it asks for."""

    def __init__(self, asked: Filter) -> None:
        self._parameters: dict[str, Any] = {}
        self.sql = f"(d.facets = '{{}}' OR {self._sql(asked)})"

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the values, under names that no other part of a statement uses."""
        return self._parameters

    def _sql(self, asked: Filter) -> str:
        match asked:
            case And(parts=parts):
                return f"({' AND '.join(map(self._sql, parts))})"
            case Or(parts=parts):
                return f"({' OR '.join(map(self._sql, parts))})"
            case Not(part=part):
                return f"NOT {self._sql(part)}"
        return self._of_moments(asked) if FIELDS[asked.field.name] is Type.MOMENT else self._of_tokens(asked)

    def _of_moments(self, asked: Condition) -> str:
        column = f"d.{MICROS[asked.field.name]}"
        match asked:
            case AnyOf(values=values):
                listed = self._name([micros(value) for value in values])
                return f"coalesce({column} = ANY ({listed}::bigint[]), false)"
            case Compared(order=order, value=value):
                return f"coalesce({column} {order.value} {self._name(micros(value))}::bigint, false)"
            case Exists():
                return f"({column} IS NOT NULL)"
        raise TypeError("a moment contains nothing")

    def _of_tokens(self, asked: Condition) -> str:
        match asked:
            case AnyOf(field=field, values=values):
                return self._has(field, tokens(field, values))
            case Compared(field=field, order=order, value=value):
                return self._compared(field, order, value)
            case Contains(field=field, value=value):
                return self._contains(field, value)
            case Exists(field=field):
                return self._has(field, [presence(field)])

    def _compared(self, field: Field, order: Order, value: Value) -> str:
        choices = []
        for in_list in (False, True):
            start, bound = prefix(field, value, in_list=in_list), token(field, value, in_list=in_list)
            choices.append(
                f't.token COLLATE "C" {order.value} {self._name(bound)}'
                f' AND t.token COLLATE "C" >= {self._name(start)}'
                f' AND t.token COLLATE "C" < {self._name(after(start))}'
            )
        return _some_token(field, " OR ".join(choices))

    def _contains(self, field: Field, value: Value) -> str:
        element = self._has(field, [token(field, value, in_list=True)])
        if not isinstance(value, str):
            return element
        start = prefix(field, value, in_list=False)
        inside = (
            f"starts_with(t.token, {self._name(start)})"
            f" AND strpos(substr(t.token, {self._name(len(start) + 1)}), {self._name(value)}) > 0"
        )
        return f"({element} OR {_some_token(field, inside)})"

    def _has(self, field: Field, wanted: list[str]) -> str:
        """Return that the field's list has one of the tokens."""
        listed = self._name(wanted)
        if home(field) in APART:
            return f"EXISTS ({_own_list(field)} AND f.tokens && {listed}::text[])"
        return f"(d.facets && {listed}::text[])"

    def _name(self, value: Any) -> str:
        """Return the placeholder of a value."""
        name = f"filter_{len(self._parameters)}"
        self._parameters[name] = value
        return f"%({name})s"


def _some_token(field: Field, condition: str) -> str:
    """Return that a token t of the field's list meets a condition."""
    if home(field) in APART:
        own = _own_list(field, "CROSS JOIN unnest(f.tokens) AS t (token)")
        return f"EXISTS ({own} AND ({condition}))"
    return f"EXISTS (SELECT FROM unnest(d.facets) AS t (token) WHERE {condition})"


def _own_list(field: Field, more: str = "") -> str:
    """Return the look at a field's list; its name is one of APART, none of the caller's."""
    return f"SELECT FROM engine.facet f {more} WHERE f.document_no = d.no AND f.field = '{home(field)}'"
