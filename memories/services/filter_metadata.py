"""How the record compares what the caller keeps in a JSON object with values, exactly, by Postgres' own paths."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.db.models import BooleanField, F, Func, JSONField, Q, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, StrIndex
from django.db.models.lookups import Exact, GreaterThan

from backends.search import filters
from backends.search.filters import Order, Truth
from memories.services.filter_columns import Column

_TYPES = {Truth: "boolean", int: "number", float: "number", str: "string"}


class JSONColumn(Column):
    """What stands under one name: a scalar, a list of them, or what is compared with nothing; null is none."""

    def __init__(self, path: str, key: str) -> None:
        super().__init__(path)
        self._name = Cast(Value(key), TextField())

    def exists(self) -> Q:
        """Return that there is a value, or a list with one."""
        return self._some('@.type() != "null"', None)

    def any_of(self, values: Sequence[filters.Value]) -> Q:
        """Return that the value, or an element, is one of these and of its type."""
        found = Q()
        for sort, alike in groupby(sorted(values, key=_type), key=_type):
            found |= self._some(f'@.type() == "{sort}" && @ == $x[*]', list(alike))
        return found

    def compared(self, order: Order, value: filters.Value) -> Q:
        """Return that the value, or an element, is of this one's type and stands so to it."""
        return self._some(f'@.type() == "{_type(value)}" && @ {order.value} $x[*]', [value])

    def contains(self, value: filters.Value) -> Q:
        """Return that it is a string with this one in it, or a list with this one as an element."""
        in_list = self._is("array") & self.any_of([value])
        if not isinstance(value, str):
            return in_list
        text = Func(F(self.path), self._name, function="jsonb_extract_path_text", output_field=TextField())
        place = StrIndex(Coalesce(text, Value(""), output_field=TextField()), Value(value))
        return in_list | self._is("string") & Q(GreaterThan(place, Value(0)))

    def _value(self) -> Func:
        # Not Django's own look-up, which takes a name of digits for the place in a list.
        return Func(F(self.path), self._name, function="jsonb_extract_path", output_field=JSONField())

    def _is(self, sort: str) -> Q:
        found = Func(self._value(), function="jsonb_typeof", output_field=TextField())
        return Q(Exact(Coalesce(found, Value(""), output_field=TextField()), Value(sort)))

    def _some(self, condition: str, x: list[Any] | None) -> Q:
        """Return that some element meets a condition; a scalar is a list of one."""
        # Lax, so that a scalar becomes a list; then strict, so that a list in the list does not become its elements.
        elements = Func(self._value(), _path("lax $[*]"), function="jsonb_path_query_array", output_field=JSONField())
        variables = Func(Value(json.dumps({"x": x}, default=_plain)), template="%(expressions)s::jsonb")
        met: Combinable = Func(
            elements,
            _path(f"strict $[*] ? ({condition})"),
            variables,
            function="jsonb_path_exists",
            output_field=BooleanField(),
        )
        return Q(Coalesce(met, Value(value=False)))


def _path(path: str) -> Func:
    return Func(Value(path), template="%(expressions)s::jsonpath", output_field=TextField())


def _type(value: filters.Value) -> str:
    """Return what Postgres calls a value's type. Raises KeyError for a moment, which JSON has none of."""
    return _TYPES[type(value)]


def _plain(value: object) -> bool:
    return value is Truth.TRUE
