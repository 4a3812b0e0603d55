"""A caller's filter as plain values: the same for every engine, for the record and for lists.

ne and nin are Not(AnyOf), exists false is Not(Exists). A field that a row lacks is equal to nothing, compares with
nothing, contains nothing and does not exist; Not is the plain negation, so it holds for rows that lack the field.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

METADATA = "metadata"


class Truth(Enum):
    """A JSON true or false. Python's own equal 1 and 0, and so would filters that ask for one and for the other."""

    TRUE = "true"
    FALSE = "false"

    @classmethod
    def of(cls, value: bool) -> "Truth":  # noqa: FBT001 - that is all it is about
        """Return the one for Python's."""
        return cls.TRUE if value else cls.FALSE


Value = str | Truth | int | float | datetime
"""What fields are compared with. Numbers are never bool."""


class Type(Enum):
    """What a field holds, and so what can be asked of it. ANY: scalars, and lists of them, as the caller wrote."""

    ID = "id"
    TEXT = "text"
    LIST = "list"
    NUMBER = "number"
    MOMENT = "moment"
    ANY = "any"


class Order(Enum):
    """How a value stands to another: numbers and moments by size, strings by code points."""

    GT = ">"
    GTE = ">="
    LT = "<"
    LTE = "<="


FIELDS: Mapping[str, Type] = {
    "memory_type": Type.ID,
    "session_id": Type.ID,
    "agent_id": Type.ID,
    "entity_id": Type.ID,
    "trust": Type.ID,
    "category": Type.TEXT,
    "predicate": Type.TEXT,
    "slot": Type.TEXT,
    "author": Type.TEXT,
    "tags": Type.LIST,
    "importance": Type.NUMBER,
    "confidence": Type.NUMBER,
    "valid_from": Type.MOMENT,
    "valid_to": Type.MOMENT,
    "recorded_at": Type.MOMENT,
    "expires_at": Type.MOMENT,
    "provenance.source_type": Type.LIST,
    "provenance.relation": Type.LIST,
    "provenance.method": Type.LIST,
    METADATA: Type.ANY,
}
"""Everything that can be filtered by; METADATA with a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One of FIELDS; key: of METADATA, literally."""

    name: str
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """The field's value, or an element of its list, is one of the values."""

    field: Field
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The field's value, or an element of its list, is of the value's type and stands so to it."""

    field: Field
    order: Order
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains:
    """The field is a string with the value in it, literally, or a list with the value as an element."""

    field: Field
    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists:
    """The field has a value; null and a list without one are none."""

    field: Field


@dataclass(frozen=True, slots=True, kw_only=True)
class And:
    """All parts hold."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or:
    """Some part holds."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Condition = AnyOf | Compared | Contains | Exists
Filter = Condition | And | Or | Not


def fields_of(asked: Filter) -> Iterator[Field]:
    """Yield the field of each condition, as often as it occurs."""
    match asked:
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from fields_of(part)
        case Not(part=part):
            yield from fields_of(part)
        case _:
            yield asked.field
