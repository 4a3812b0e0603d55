"""Give memories their vectors."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import OuterRef, QuerySet, Subquery

from backends.embedders.base import Embedder
from memories.documents.searched_text import searched_text
from memories.models import Memory, MemoryVector
from tenants.services.open_scope import open_operator


def memories_with_vectors(ids: Sequence[UUID], *, model: str) -> dict[UUID, Any]:
    """Return the memories that still exist, each with its vector by a model as `.embedding` (None: not yet)."""
    with open_operator():
        return {memory.id: memory for memory in with_vectors(Memory.objects.filter(id__in=ids), model=model)}


def with_vectors(memories: "QuerySet[Memory]", *, model: str) -> "QuerySet[Any]":
    """Return the memories annotated with `.embedding`, their vector by a model or None."""
    vector = MemoryVector.objects.filter(memory_id=OuterRef("id"), model=model).values("vector")[:1]
    return memories.select_related("turn").annotate(embedding=Subquery(vector))


def embed_memories(memories: Sequence[Memory], embedder: Embedder) -> int:
    """Embed and store; return how many were stored. A memory that is gone meanwhile is passed over.

    Raises Unavailable or Rejected, as the embedder does; nothing is stored then.
    """
    vectors = embedder.passages([searched_text(memory) for memory in memories])
    rows = [
        MemoryVector(
            tenant_id=memory.tenant_id,
            subject_id=memory.subject_id,
            memory_id=memory.id,
            model=embedder.model,
            vector=vector.tolist(),
        )
        for memory, vector in zip(memories, vectors, strict=True)
    ]
    try:
        with open_operator():
            MemoryVector.objects.bulk_create(rows, ignore_conflicts=True)
        return len(rows)
    except IntegrityError:  # one of them was erased while it was embedded
        return sum(_store_alone(row) for row in rows)


def _store_alone(row: MemoryVector) -> bool:
    try:
        with open_operator():
            MemoryVector.objects.bulk_create([row], ignore_conflicts=True)
    except IntegrityError:
        return False
    return True
