"""Embed: give what sync has brought to the engine its vectors; each makes its entry due again."""

import logging
import time
from dataclasses import dataclass
from datetime import datetime

from django.db import OperationalError

from backends.embedders.base import Embedder
from backends.errors import BackendError
from backends.token_encoders.base import TokenEncoder
from memories.services import outbox
from memories.services.claim import claim
from memories.services.embed_rows import embed_rows
from memories.services.searched import lacks_passages, lacks_vectors, rows_with_vectors
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

EMBEDDING_S = 20.0
"""How long a pass goes on; with its last slice well within the lease of its claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedPass:
    """What one pass did, in entries. failed: put off. given_up: made dead letters."""

    claimed: int = 0
    embedded: int = 0
    failed: int = 0
    given_up: int = 0


def embed(embedder: Embedder, *, encoder: TokenEncoder | None = None, limit: int = 200, now: datetime) -> EmbedPass:
    """Run one pass over at most `limit` entries that wait for their vector, or for their tokens by the encoder.

    1. Claim. 2. Look the rows up again; those that wait for their passages alone go last. 3. Embed and store, slice
    by slice, until the time is up.
    4. Hand back what there was no time for, and to sync what has its vector already or is gone.
    An embedder that is away puts the entries off; a text that it refuses is given up, and found by its words.
    """
    entries = claim(limit, awaiting_vector=True, now=now)
    if not entries:
        return EmbedPass()
    with open_operator():
        rows = rows_with_vectors(
            [(entry.kind, entry.object_id) for entry in entries],
            model=embedder.model,
            token_model=None if encoder is None else encoder.model,
        )
    bare = [
        (entry, row)
        for entry in entries
        if (row := rows.get((entry.kind, entry.object_id))) is not None and lacks_vectors(row)
    ]
    bare.sort(key=lambda pair: lacks_passages(pair[1]))
    waiting = [entry for entry, _ in bare]
    known = {entry.id for entry in waiting}
    outbox.hand_back([entry for entry in entries if entry.id not in known])
    if not bare:
        return EmbedPass(claimed=len(entries))
    try:
        result = embed_rows([row for _, row in bare], embedder, encoder=encoder, until=time.monotonic() + EMBEDDING_S)
    except (BackendError, OperationalError) as error:
        log.warning("embed: %d texts have no vector yet: %s", len(waiting), type(error).__name__)
        outbox.put_off(waiting, code=f"embedder:{type(error).__name__}", now=now)
        return EmbedPass(claimed=len(entries), failed=len(waiting))
    refused = [entry for entry in waiting[: result.done] if entry.object_id in result.refused]
    outbox.give_up(refused, code="embedder:Rejected", now=now)
    outbox.hand_back(waiting[result.done :], awaiting_vector=True)
    # A stored vector has made its entry due for sync; one that was passed over is looked at anew there.
    outbox.hand_back([entry for entry in waiting[: result.done] if entry.object_id not in result.refused])
    return EmbedPass(claimed=len(entries), embedded=result.done - len(refused), given_up=len(refused))
