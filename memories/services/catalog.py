"""The catalog: the tenant's own documents, put, read and removed; shared by all its users."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from backends.search import names
from backends.search.filters import Filter
from memories.models import CatalogDocument
from memories.services.compartments import own_compartments
from memories.services.filtering import filtered
from memories.services.references import UnknownReference
from memories.services.room import require_room
from memories.services.wake import wake
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

Key = tuple[str, tuple[str, ...]]
"""The caller's id, and the compartments, sorted: in others it is another document."""
_CHANGED = ("title", "text", "tags", "metadata", "content_hash", "updated_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document as a caller puts it: known by the caller's id."""

    external_id: str
    title: str
    text: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    compartments: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """Return what it is known by."""
        return self.external_id, tuple(sorted({*self.compartments}))

    @property
    def content_hash(self) -> bytes:
        """Return the SHA-256 of everything but what it is known by."""
        content = [self.title, self.text, self.tags, self.metadata]
        return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """How many documents were new, changed, and the same as before."""

    created: int
    updated: int
    unchanged: int


def put_documents(scope: Scope, documents: Sequence[NewDocument], *, now: datetime) -> Put:
    """Make or replace documents, all or none; an id twice in one call takes the later one.

    A field that is hidden from the scope stays as it is where a document is replaced.
    Raises ScopeDenied, when the key may not write the catalog, or is one user's; FieldDenied, when it does not hold a
    compartment; BacklogFull from memories.services.room, when more than one document is put.
    """
    _require(scope)
    for index, document in enumerate(documents):
        own_compartments(scope, document.compartments, field=f"documents.{index}.compartments")
    with open_scope(scope):
        if len(documents) > 1:
            require_room()
        wanted = {document.key: document for document in documents}
        # One order of ids, so that two calls never wait for each other in a circle.
        held = {
            _key_of(row): row
            for row in CatalogDocument.objects.select_for_update()
            .filter(external_id__in=[external_id for external_id, _ in wanted])
            .order_by("external_id", "compartments")
            if _key_of(row) in wanted
        }
        new = [wanted[key] for key in sorted(wanted.keys() - held.keys())]
        kept = {key: _with_hidden(scope, wanted[key], row) for key, row in held.items()}
        changed = [row for key, row in held.items() if bytes(row.content_hash) != kept[key].content_hash]
        for row in changed:
            _fill(row, kept[_key_of(row)], now=now)
            row.save(update_fields=_CHANGED)
        made = [_fill(CatalogDocument(tenant_id=scope.tenant_id, recorded_at=now), item, now=now) for item in new]
        CatalogDocument.objects.bulk_create(
            made,
            update_conflicts=True,  # another call may have put the same ids meanwhile: the later one stands
            unique_fields=["tenant", "external_id", "compartments"],
            update_fields=[name for name in _CHANGED if name not in scope.hidden_fields],
        )
        if made or changed:
            noted = {_key_of(row) for row in [*made, *changed]}
            rows = CatalogDocument.objects.filter(external_id__in=[external_id for external_id, _ in noted])
            note_event(
                scope,
                "catalog.updated",
                object_ids=[
                    row.id for row in rows.only("id", "external_id", "compartments") if _key_of(row) in noted
                ],
                data={"created": len(made), "updated": len(changed)},
                now=now,
            )
        transaction.on_commit(lambda: wake("memories.sync"))
    return Put(created=len(made), updated=len(changed), unchanged=len(held) - len(changed))


def get_document(scope: Scope, external_id: str, *, compartments: Sequence[str] | None = None) -> CatalogDocument:
    """Return a document by the caller's id, and by its compartments where several documents have that id.

    Raises ScopeDenied; CatalogDocument.DoesNotExist; UnknownReference, when several are seen and none is named.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.CATALOG)
    with open_scope(scope):
        return _the_one(CatalogDocument.objects.all(), external_id, compartments)


def remove_document(
    scope: Scope, external_id: str, *, compartments: Sequence[str] | None = None, now: datetime
) -> None:
    """Remove a document from the record and the engine; raises as get_document does."""
    _require(scope)
    with open_scope(scope):
        row = _the_one(CatalogDocument.objects.select_for_update(), external_id, compartments)
        row_id = row.id
        row.delete()
        note_event(scope, "catalog.removed", object_ids=[row_id], now=now)
        transaction.on_commit(lambda: wake("memories.sync"))


def list_documents(scope: Scope, *, filters: Filter | None, after: str | None, limit: int) -> list[CatalogDocument]:
    """Return documents in the order of their ids; a page ends with all that have its last id.

    Raises ScopeDenied; FieldDenied, when the scope may not filter by a field.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.CATALOG)
    with open_scope(scope):
        rows = filtered(scope, CatalogDocument.objects.order_by("external_id", "compartments"), filters)
        page = list((rows.filter(external_id__gt=after) if after is not None else rows)[:limit])
        if len(page) == limit:
            seen = [row.id for row in page]
            page += rows.filter(external_id=page[-1].external_id).exclude(id__in=seen)
        return page


def _the_one(
    rows: "QuerySet[CatalogDocument]", external_id: str, compartments: Sequence[str] | None
) -> CatalogDocument:
    found = rows.filter(external_id=external_id)
    if compartments is not None:
        return found.get(compartments=sorted({*compartments}))
    try:
        return found.get()
    except CatalogDocument.MultipleObjectsReturned as error:
        raise UnknownReference("compartments", "several documents have this id; name those of one of them") from error


def _key_of(row: CatalogDocument) -> Key:
    return row.external_id, tuple(row.compartments)


def _with_hidden(scope: Scope, document: NewDocument, row: CatalogDocument) -> NewDocument:
    """Return a document with what the scope cannot see of the row as it is there."""
    held = {"tags": tuple(row.tags), "metadata": row.metadata}
    return replace(document, **{name: value for name, value in held.items() if name in scope.hidden_fields})


def _require(scope: Scope) -> None:
    scope.require(Ability.CATALOG_WRITE)
    scope.require_kind(names.CATALOG)
    if scope.subject_id is not None:
        raise ScopeDenied("the catalog is shared by all users and not changed by one of them")


def _fill(row: CatalogDocument, document: NewDocument, *, now: datetime) -> CatalogDocument:
    row.external_id, row.title, row.text = document.external_id, document.title, document.text
    row.compartments = list(document.key[1])
    row.tags, row.metadata = list(document.tags), dict(document.metadata)
    row.content_hash, row.updated_at = document.content_hash, now
    return row
