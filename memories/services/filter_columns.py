"""How the record compares a field of a filter with values, exactly, column by column.

Every condition is true or false, never null, so that its negation is the plain one.
"""

from collections.abc import Sequence

from django.db.models import Exists, F, Lookup, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Collate
from django.db.models.lookups import GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual

from backends.search import filters
from backends.search.filters import Order
from memories.models import Source

NEVER, ALWAYS = Q(pk__in=[]), ~Q(pk__in=[])
_LOOKUPS: dict[Order, "type[Lookup[bool]]"] = {
    Order.GT: GreaterThan,
    Order.GTE: GreaterThanOrEqual,
    Order.LT: LessThan,
    Order.LTE: LessThanOrEqual,
}


class Column:
    """A column of one value; null is none."""

    def __init__(self, path: str) -> None:
        self.path = path

    def exists(self) -> Q:
        """Return that there is a value."""
        return Q(**{f"{self.path}__isnull": False})

    def any_of(self, values: Sequence[filters.Value]) -> Q:
        """Return that the value, or an element, is one of these."""
        return self.exists() & Q(**{f"{self.path}__in": list(values)})

    def compared(self, order: Order, value: filters.Value) -> Q:
        """Return that the value, or an element, stands so to this one."""
        return self.exists() & Q(_LOOKUPS[order](F(self.path), Value(value)))

    def contains(self, value: filters.Value) -> Q:
        """Return that the value has this one in it, or as an element."""
        return self.exists() & Q(**{f"{self.path}__contains": value})


class TextColumn(Column):
    """A column of text; the empty string is no value. It sorts by code points."""

    def exists(self) -> Q:
        """Return that there is a value."""
        return super().exists() & ~Q(**{self.path: ""})

    def compared(self, order: Order, value: filters.Value) -> Q:
        """Return that the value stands so to this one."""
        return self.exists() & Q(_LOOKUPS[order](Collate(F(self.path), "C"), Value(value)))


class ListColumn(Column):
    """A column of several strings, none of them null."""

    def exists(self) -> Q:
        """Return that there is an element."""
        return ~Q(**{self.path: []})

    def any_of(self, values: Sequence[filters.Value]) -> Q:
        """Return that an element is one of these."""
        return Q(**{f"{self.path}__overlap": list(values)})


class SourceColumn(Column):
    """A column of a memory's sources, of which there may be several; what was voided is none."""

    def exists(self) -> Q:
        """Return that there is a source."""
        return Q(Exists(_standing()))

    def any_of(self, values: Sequence[filters.Value]) -> Q:
        """Return that a source has one of these."""
        return Q(Exists(_standing().filter(**{f"{self.path}__in": list(values)})))


class Constant(Column):
    """The same string for every row of a table."""

    def exists(self) -> Q:
        """Return that there is a value."""
        return ALWAYS

    def any_of(self, values: Sequence[filters.Value]) -> Q:
        """Return whether it is one of these."""
        return ALWAYS if self.path in values else NEVER


class Absent(Column):
    """What no row of a table has."""

    def exists(self) -> Q:
        """Return that there is none."""
        return NEVER

    def any_of(self, values: Sequence[filters.Value]) -> Q:  # noqa: ARG002
        """Return that none is among them."""
        return NEVER

    def compared(self, order: Order, value: filters.Value) -> Q:  # noqa: ARG002
        """Return that none stands so to it."""
        return NEVER

    def contains(self, value: filters.Value) -> Q:  # noqa: ARG002
        """Return that none contains it."""
        return NEVER


def _standing() -> "QuerySet[Source]":
    return Source.objects.filter(memory_id=OuterRef("pk"), voided_at__isnull=True)
