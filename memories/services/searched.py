"""The rows behind the documents of each kind, with their vectors."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BinaryField,
    BooleanField,
    Case,
    Exists,
    Model,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import JSONObject, Length
from django.db.models.lookups import GreaterThan

from backends.search import names
from memories.documents.searched_text import is_archived, is_long
from memories.models import (
    CatalogDocument,
    CatalogPassages,
    CatalogVector,
    Entity,
    EntityVector,
    Memory,
    MemoryPassages,
    MemoryTokens,
    MemoryVector,
    Relation,
    RelationVector,
    Source,
)
from memories.models.passages import Passages
from memories.models.vector import Vector
from memories.passages import LONG

Key = tuple[str, UUID]
"""Kind and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """Where the rows of a kind and their vectors are. owner: the vector's column that says whose it is.

    passages: of kinds whose texts may be long.
    """

    rows: type[Model]
    vectors: type[Vector]
    owner: str
    passages: type[Passages] | None = None
    related: tuple[str, ...] = ()


_MEMORY = Searched(
    rows=Memory, vectors=MemoryVector, owner="memory_id", passages=MemoryPassages, related=("entity", "session")
)
_EDGES = Source.objects.filter(memory_id=OuterRef("id"), voided_at__isnull=True).values(
    edge=JSONObject(source_type="source_type", relation="relation", method="method")
)
SEARCHED: Mapping[str, Searched] = {
    **dict.fromkeys(names.MEMORY_KINDS, _MEMORY),
    names.ENTITY: Searched(rows=Entity, vectors=EntityVector, owner="entity_id"),
    names.RELATION: Searched(
        rows=Relation,
        vectors=RelationVector,
        owner="relation_id",
        related=("subject_entity", "object_entity"),
    ),
    names.CATALOG: Searched(
        rows=CatalogDocument, vectors=CatalogVector, owner="document_id", passages=CatalogPassages
    ),
}


def rows_with_vectors(keys: Iterable[Key], *, model: str, token_model: str | None = None) -> dict[Key, Any]:
    """Return the rows that exist, each with its vector by a model as `.embedding` (None: not yet); in a scope.

    token_model: `.has_tokens` says whether the row has its tokens by it, or is of a kind that has none.
    """
    found: dict[Key, Any] = {}
    for searched, ids in _by_table(keys):
        rows = with_vectors(searched, model=model)
        if token_model is not None and searched.rows is Memory:
            own = MemoryTokens.objects.filter(memory_id=OuterRef("id"), model=token_model)
            rows = rows.annotate(has_tokens=Exists(own))
        else:
            rows = rows.annotate(has_tokens=Value(value=True, output_field=BooleanField()))
        for row in rows.filter(id__in=ids):
            found[row.kind, row.id] = row
    return found


def with_vectors(searched: Searched, *, model: str) -> "QuerySet[Any]":
    """Return a kind's rows annotated with `.embedding`, their vector by a model or None; memories with `.edges`.

    `.passages`: of a long row, the vectors of its passages, packed; None: not yet, or it is not long.
    """
    own = searched.vectors._default_manager.filter(**{searched.owner: OuterRef("id")}, model=model)
    rows: QuerySet[Any] = searched.rows._default_manager.all()
    if searched.related:
        rows = rows.select_related(*searched.related)
    if searched.rows is Memory:
        rows = rows.annotate(edges=ArraySubquery(_EDGES))
    annotated: QuerySet[Any] = rows.annotate(
        embedding=Subquery(own.values("vector")[:1]), passages=_passages(searched, model)
    )
    return annotated


def _passages(searched: Searched, model: str) -> Case:
    """Return what looks up passages where the text is long, and costs nothing where it is not."""
    packed = BinaryField()
    if searched.passages is None:
        return Case(default=Value(None), output_field=packed)
    of = {"tenant_id": OuterRef("tenant_id"), searched.owner: OuterRef("id"), "model": model}
    own = searched.passages._default_manager.filter(**of)
    is_long = When(GreaterThan(Length("text"), LONG), then=Subquery(own.values("vectors")[:1]))
    return Case(is_long, default=Value(None), output_field=packed)


def is_searchable(row: Any) -> bool:
    """Say whether a row has a document: a memory that is not accepted yet has none."""
    return getattr(row, "accepted_at", row.recorded_at) is not None


def lacks_vectors(row: Any) -> bool:
    """Say whether a row waits for its vector or passages, or a memory for its tokens; what is archived needs none."""
    return not is_archived(row) and (row.embedding is None or not row.has_tokens or lacks_passages(row))


def lacks_passages(row: Any) -> bool:
    """Say whether a long row has its vector, and its passages do not have theirs yet."""
    return row.embedding is not None and row.passages is None and is_long(row)


def searchable(kind: str, rows: "QuerySet[Any]") -> "QuerySet[Any]":
    """Return those of a kind's table's rows that have a document of the kind; is_searchable says it of one."""
    if kind in names.MEMORY_KINDS:
        return rows.filter(memory_type=kind, accepted_at__isnull=False)
    return rows


def ids_by_table(keys: Iterable[Key]) -> dict[type[Model], list[UUID]]:
    """Return the ids of each table's rows; the three kinds of memories share one."""
    return {searched.rows: ids for searched, ids in _by_table(keys)}


def of_tables(tables: Container[type[Model]], kinds: Iterable[str]) -> tuple[str, ...]:
    """Return those of the kinds whose rows stand in one of the tables."""
    return tuple(kind for kind in kinds if SEARCHED[kind].rows in tables)


def _by_table(keys: Iterable[Key]) -> Iterable[tuple[Searched, list[UUID]]]:
    """Return the ids of each table; the three kinds of memories share one."""
    ids: dict[str, tuple[Searched, list[UUID]]] = {}
    for kind, object_id in keys:
        searched = SEARCHED[kind]
        ids.setdefault(searched.rows.__name__, (searched, []))[1].append(object_id)
    return ids.values()
