"""Give searched rows their vectors."""

import time
from collections.abc import Sequence
from typing import Any

from backends.embedders.base import Embedder
from memories.documents.searched_text import searched_text
from memories.services.searched import SEARCHED
from tenants.services.open_scope import open_operator

SLICE = 16
"""Texts embedded and stored at a time, so that what is done is kept and claims do not run out."""


def embed_rows(rows: Sequence[Any], embedder: Embedder, *, until: float) -> int:
    """Embed and store, slice by slice; return how many of the rows were looked at before the time was up.

    until: on the clock of time.monotonic; at least one slice is done. A row that is gone meanwhile is passed over.
    Raises Unavailable or Rejected, as the embedder does; earlier slices stay stored then.
    """
    done = 0
    for start in range(0, len(rows), SLICE):
        if start and time.monotonic() > until:
            break
        part = sorted(rows[start : start + SLICE], key=lambda row: str(row.id))  # one order against deadlocks
        _store(part, embedder)
        done += len(part)
    return done


def _store(rows: Sequence[Any], embedder: Embedder) -> None:
    vectors = embedder.passages([searched_text(row) for row in rows])
    for searched in {id(SEARCHED[row.kind]): SEARCHED[row.kind] for row in rows}.values():
        with open_operator():
            # A row that went, or says something else meanwhile, is passed over: its outbox entry is due again.
            held = searched.rows._default_manager.select_for_update(no_key=True).filter(id__in=[r.id for r in rows])
            versions = dict(held.order_by("id").values_list("id", "version"))
            searched.vectors._default_manager.bulk_create(
                [
                    searched.vectors(
                        tenant_id=row.tenant_id,
                        subject_id=row.subject_id,
                        **{searched.owner: row.id},
                        model=embedder.model,
                        vector=vector.tolist(),
                    )
                    for row, vector in zip(rows, vectors, strict=True)
                    if versions.get(row.id) == row.version and SEARCHED[row.kind] is searched
                ],
                ignore_conflicts=True,
            )
