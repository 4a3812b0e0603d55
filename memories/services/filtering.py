"""A filter as the record judges it: who may ask by which field, and the condition on each table's rows."""

import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

from django.db.models import Q, QuerySet

from backends.search import names
from backends.search.filters import (
    METADATA,
    And,
    AnyOf,
    Compared,
    Contains,
    Exists,
    Field,
    Filter,
    Not,
    Or,
    fields_of,
)
from memories.models import CatalogDocument, Entity, Memory, Relation
from memories.services.filter_columns import Absent, Column, Constant, ListColumn, SourceColumn, TextColumn
from memories.services.filter_metadata import JSONColumn
from tenants.scope import Ability, FieldDenied, Scope

OF_PROVENANCE = frozenset({"author", "provenance.method", "provenance.relation", "provenance.source_type"})
"""Fields that are shown to those alone who may read provenance."""
_MOMENTS = {name: Column(name) for name in ("valid_from", "valid_to", "recorded_at")}
_COLUMNS: Mapping[type[Any], Mapping[str, Column]] = {
    Memory: {
        **_MOMENTS,
        "memory_type": TextColumn("memory_type"),
        "session_id": TextColumn("session__external_id"),
        "agent_id": TextColumn("agent_id"),
        "entity_id": Column("entity_id"),
        "trust": TextColumn("trust"),
        "category": TextColumn("category"),
        "predicate": TextColumn("predicate"),
        "slot": TextColumn("slot"),
        "author": TextColumn("author"),
        "tags": ListColumn("tags"),
        "importance": Column("importance"),
        "confidence": Column("confidence"),
        "expires_at": Column("expires_at"),
        "provenance.source_type": SourceColumn("source_type"),
        "provenance.relation": SourceColumn("relation"),
        "provenance.method": SourceColumn("method"),
    },
    Entity: {"memory_type": Constant(names.ENTITY), "recorded_at": Column("recorded_at")},
    Relation: {**_MOMENTS, "memory_type": Constant(names.RELATION), "predicate": TextColumn("predicate")},
    CatalogDocument: {
        "memory_type": Constant(names.CATALOG),
        "tags": ListColumn("tags"),
        "recorded_at": Column("recorded_at"),
    },
}
_WITH_METADATA = (Memory, CatalogDocument)


def require_filterable(scope: Scope, asked: Filter | None) -> None:
    """Raise FieldDenied, when a filter asks by what the scope does not see."""
    if asked is None:
        return
    for field in fields_of(asked):
        name = f"filters.{field.name}" if field.key is None else f"filters.{field.name}.{field.key}"
        if field.name in scope.hidden_fields:
            raise FieldDenied(name, "is hidden from the key, which neither writes nor filters by it")
        if field.name in OF_PROVENANCE and Ability.PROVENANCE_READ not in scope.abilities:
            raise FieldDenied(name, f"needs the ability {Ability.PROVENANCE_READ}")


def filtered(scope: Scope, rows: "QuerySet[Any]", asked: Filter | None) -> "QuerySet[Any]":
    """Return those of a table's rows for which a filter holds. Raises FieldDenied, as require_filterable does."""
    require_filterable(scope, asked)
    return rows if asked is None else rows.filter(condition(rows.model, asked))


def condition(table: type[Any], asked: Filter) -> Q:
    """Return a filter as a condition on the rows of a table."""
    match asked:
        case And(parts=parts):
            return reduce(operator.and_, (condition(table, part) for part in parts))
        case Or(parts=parts):
            return reduce(operator.or_, (condition(table, part) for part in parts))
        case Not(part=part):
            return ~condition(table, part)
        case _:
            return _leaf(_column(table, asked.field), asked)


def _leaf(column: Column, asked: AnyOf | Compared | Contains | Exists) -> Q:
    match asked:
        case AnyOf(values=values):
            return column.any_of(values)
        case Compared(order=order, value=value):
            return column.compared(order, value)
        case Contains(value=value):
            return column.contains(value)
        case Exists():
            return column.exists()


def _column(table: type[Any], field: Field) -> Column:
    if field.key is not None and table in _WITH_METADATA:
        return JSONColumn(METADATA, field.key)
    return _COLUMNS[table].get(field.name, Absent(field.name))
