"""Give a long row the vectors of its passages."""

import logging
from collections.abc import Sequence
from typing import Any

import numpy as np

from backends.embedders.base import Embedder, Vectors
from backends.embedders.packing import pack
from backends.errors import Rejected
from memories.documents.searched_text import passage_text
from memories.passages import Span, passages
from memories.services.searched import SEARCHED
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

TOGETHER = 16
"""Passages that the embedder is handed at a time."""


def embed_passages(row: Any, embedder: Embedder) -> None:
    """Embed and store; a row that is gone or changed meanwhile is passed over, its outbox entry is due again.

    row: with its vector by the embedder's model. A passage that the embedder refuses is left out.
    Raises Unavailable or Refused, as the embedder does.
    """
    found = [pair for some in _some(passages(row.text)) for pair in _embedded(row, some, embedder)]
    searched = SEARCHED[row.kind]
    table = searched.passages
    if table is None:
        return
    with open_operator():
        held = searched.rows._default_manager.select_for_update(no_key=True)
        own: dict[str, Any] = {searched.owner: row.id, "tenant_id": row.tenant_id, "model": embedder.model}
        if not held.filter(id=row.id, doc_version=row.doc_version).exists():
            return
        vector_id = searched.vectors._default_manager.filter(**own).values_list("id", flat=True).first()
        if vector_id is None:
            return
        own["vector_id"] = vector_id
        made = table(
            **own,
            subject_id=row.subject_id,
            spans=[place for span, _ in found for place in span],
            vectors=pack(np.stack([vector for _, vector in found])) if found else b"",
        )
        table._default_manager.bulk_create([made], ignore_conflicts=True)


def _some(spans: Sequence[Span]) -> list[Sequence[Span]]:
    return [spans[start : start + TOGETHER] for start in range(0, len(spans), TOGETHER)]


def _embedded(row: Any, spans: Sequence[Span], embedder: Embedder) -> list[tuple[Span, Vectors]]:
    """Return the vectors of what the embedder takes, looking for the one at fault where it refuses some."""
    try:
        return list(zip(spans, embedder.passages([passage_text(row, span) for span in spans]), strict=True))
    except Rejected as error:
        if len(spans) == 1:
            log.warning("%s %s has a passage without a vector: %s", row.kind, row.id, error)
            return []
    middle = len(spans) // 2
    return [*_embedded(row, spans[:middle], embedder), *_embedded(row, spans[middle:], embedder)]
