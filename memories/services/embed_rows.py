"""Give searched rows their vectors."""

import time
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError

from backends.embedders.base import Embedder
from memories.documents.searched_text import searched_text
from memories.models.vector import Vector
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
    made = [_vector(row, vector.tolist(), embedder.model) for row, vector in zip(rows, vectors, strict=True)]
    try:
        with open_operator():
            for table in {type(vector) for vector in made}:
                own = [vector for vector in made if type(vector) is table]
                table._default_manager.bulk_create(own, ignore_conflicts=True)
    except IntegrityError:  # one of them was erased while it was embedded
        for vector in made:
            _store_alone(vector)


def _vector(row: Any, values: list[float], model: str) -> Vector:
    searched = SEARCHED[row.kind]
    return searched.vectors(
        tenant_id=row.tenant_id, subject_id=row.subject_id, **{searched.owner: row.id}, model=model, vector=values
    )


def _store_alone(vector: Vector) -> None:
    try:
        with open_operator():
            type(vector)._default_manager.bulk_create([vector], ignore_conflicts=True)
    except IntegrityError:
        return
