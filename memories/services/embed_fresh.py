"""Embed the newest turns that wait for their vector, so that a question in other words finds what was just said."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from backends.embedders.base import Embedder
from backends.errors import BackendError
from memories.documents.searched_text import searched_text
from memories.services.prepare_recall import Fresh

FRESH_MAX = 2
TEXT_MAX_LENGTH = 500
"""Characters. One such text costs tens of milliseconds, once, in the second before the worker has embedded it."""


def embed_fresh(overlay: Sequence[Fresh], vector: Sequence[float] | None, embedder: Embedder) -> tuple[Fresh, ...]:
    """Return the overlay with the cosines of its newest short texts filled in; a remote embedder is not asked.

    The vectors are not kept: the worker makes them anyway. Without them everything stays as it is.
    """
    if vector is None or not embedder.in_process:
        return tuple(overlay)
    waiting = ((index, searched_text(fresh.row)) for index, fresh in enumerate(overlay) if fresh.dense is None)
    chosen = dict(islice(((index, text) for index, text in waiting if len(text) <= TEXT_MAX_LENGTH), FRESH_MAX))
    if not chosen:
        return tuple(overlay)
    try:
        found = embedder.passages(list(chosen.values()))
    except BackendError:
        return tuple(overlay)  # recall has said already that the embedder is away
    cosines = dict(zip(chosen, (found @ np.asarray(vector, dtype=np.float32)).tolist(), strict=True))
    return tuple(
        replace(fresh, dense=cosines[index]) if index in cosines else fresh for index, fresh in enumerate(overlay)
    )
