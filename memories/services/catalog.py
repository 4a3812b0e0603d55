"""The catalog: the tenant's own documents, put, read and removed; shared by all its users."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from backends.search import names
from memories.models import CatalogDocument
from memories.services.wake import wake
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document as a caller puts it: known by the caller's id."""

    external_id: str
    title: str
    text: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]

    @property
    def content_hash(self) -> bytes:
        """Return the SHA-256 of everything but the id."""
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

    Raises ScopeDenied, when the key may not write the catalog, or is one user's.
    """
    _require(scope)
    with open_scope(scope):
        wanted = {document.external_id: document for document in documents}
        # One order of ids, so that two calls never wait for each other in a circle.
        held = {
            row.external_id: row
            for row in CatalogDocument.objects.select_for_update()
            .filter(external_id__in=wanted)
            .order_by("external_id")
        }
        new = [wanted[external_id] for external_id in sorted(wanted.keys() - held.keys())]
        changed = [row for key, row in held.items() if bytes(row.content_hash) != wanted[key].content_hash]
        for row in changed:
            _fill(row, wanted[row.external_id], now=now)
            row.save(update_fields=["title", "text", "tags", "metadata", "content_hash", "updated_at"])
        made = [_fill(CatalogDocument(tenant_id=scope.tenant_id, recorded_at=now), item, now=now) for item in new]
        CatalogDocument.objects.bulk_create(
            made,
            update_conflicts=True,  # another call may have put the same ids meanwhile: the later one stands
            unique_fields=["tenant", "external_id"],
            update_fields=["title", "text", "tags", "metadata", "content_hash", "updated_at"],
        )
        if made or changed:
            ids = CatalogDocument.objects.filter(external_id__in=[row.external_id for row in [*made, *changed]])
            note_event(
                scope,
                "catalog.updated",
                object_ids=list(ids.values_list("id", flat=True)),
                data={"created": len(made), "updated": len(changed)},
                now=now,
            )
        transaction.on_commit(lambda: wake("memories.sync"))
    return Put(created=len(made), updated=len(changed), unchanged=len(held) - len(changed))


def get_document(scope: Scope, external_id: str) -> CatalogDocument:
    """Return a document by the caller's id. Raises ScopeDenied; CatalogDocument.DoesNotExist."""
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.CATALOG)
    with open_scope(scope):
        return CatalogDocument.objects.get(external_id=external_id)


def remove_document(scope: Scope, external_id: str, *, now: datetime) -> None:
    """Remove a document from the record and the engine. Raises ScopeDenied; CatalogDocument.DoesNotExist."""
    _require(scope)
    with open_scope(scope):
        row = CatalogDocument.objects.select_for_update().get(external_id=external_id)
        row_id = row.id
        row.delete()
        note_event(scope, "catalog.removed", object_ids=[row_id], now=now)
        transaction.on_commit(lambda: wake("memories.sync"))


def list_documents(scope: Scope, *, after: str | None, limit: int) -> list[CatalogDocument]:
    """Return documents in the order of their ids."""
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.CATALOG)
    with open_scope(scope):
        rows = CatalogDocument.objects.order_by("external_id")
        return list((rows.filter(external_id__gt=after) if after is not None else rows)[:limit])


def _require(scope: Scope) -> None:
    scope.require(Ability.CATALOG_WRITE)
    scope.require_kind(names.CATALOG)
    if scope.subject_id is not None:
        raise ScopeDenied("the catalog is shared by all users and not changed by one of them")


def _fill(row: CatalogDocument, document: NewDocument, *, now: datetime) -> CatalogDocument:
    row.external_id, row.title, row.text = document.external_id, document.title, document.text
    row.tags, row.metadata = list(document.tags), dict(document.metadata)
    row.content_hash, row.updated_at = document.content_hash, now
    return row
