"""Give searched rows their vectors."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from backends.embedders.base import Embedder
from backends.errors import Rejected
from backends.token_encoders.base import TokenEncoder
from memories.documents.searched_text import searched_text
from memories.services.embed_passages import embed_passages
from memories.services.encode_rows import encode_rows
from memories.services.searched import SEARCHED, lacks_passages
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

SLICE = 16
"""Texts embedded and stored at a time, so that what is done is kept and claims do not run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """How far embed_rows came: of the rows given, in their order, so many were done; of these some were refused."""

    done: int
    refused: frozenset[UUID]


def embed_rows(
    rows: Sequence[Any], embedder: Embedder, *, encoder: TokenEncoder | None = None, until: float
) -> Embedded:
    """Embed and store, slice by slice, until the time is up; with an encoder, give memories their tokens as well.

    A row that has its vector already gets those of its passages: so nobody's vector waits for another's passages.

    until: on the clock of time.monotonic; at least one slice is done. A row that is gone meanwhile is passed over;
    one whose text the embedder will not take is refused alone.
    Raises Unavailable or Refused, as the embedder does; earlier slices stay stored then.
    """
    done = 0
    refused: set[UUID] = set()
    for part in _slices(rows):
        if done and time.monotonic() > until:
            break
        bare = [row for row in part if row.embedding is None]
        try:
            _store(bare, embedder)
        except Rejected:
            refused |= _store_singly(bare, embedder)
        if encoder is not None:
            encode_rows([row for row in part if not row.has_tokens], encoder)
        for row in part:
            if lacks_passages(row):
                embed_passages(row, embedder)
        done += len(part)
    return Embedded(done=done, refused=frozenset(refused))


def _slices(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield the rows in their order; one that waits for its passages is as much as a slice of others."""
    for is_long, group in groupby(rows, key=lacks_passages):
        together = list(group)
        size = 1 if is_long else SLICE
        yield from (together[start : start + size] for start in range(0, len(together), size))


def _store_singly(rows: Sequence[Any], embedder: Embedder) -> set[UUID]:
    """Store what the embedder takes, one by one; return the ids of what it refuses."""
    refused = set()
    for row in rows:
        try:
            _store([row], embedder)
        except Rejected as error:
            log.warning("%s %s has no vector: %s", row.kind, row.id, error)
            refused.add(row.id)
    return refused


def _store(rows: Sequence[Any], embedder: Embedder) -> None:
    if not rows:
        return
    vectors = embedder.passages([searched_text(row) for row in rows])
    for searched in {id(SEARCHED[row.kind]): SEARCHED[row.kind] for row in rows}.values():
        with open_operator():
            # A row that went, or says something else meanwhile, is passed over: its outbox entry is due again.
            held = searched.rows._default_manager.select_for_update(no_key=True).filter(id__in=[r.id for r in rows])
            versions = dict(held.order_by("id").values_list("id", "doc_version"))
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
                    if versions.get(row.id) == row.doc_version and SEARCHED[row.kind] is searched
                ],
                ignore_conflicts=True,
            )
