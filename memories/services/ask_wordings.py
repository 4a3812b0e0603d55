"""Ask the search engine in the other wordings of a question, and say what score each row has by them."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from backends.embedders.base import Embedder
from backends.errors import BackendError, Rejected
from backends.search.base import SearchEngine
from memories.fusion import Signals, fuse, pick
from memories.services.ask_engine import OWN_BONUS, ask_wording
from memories.services.overlay import merged
from memories.services.prepare_recall import Prepared
from memories.services.question import Question
from tenants.services.engine_credential import reach_of

log = logging.getLogger(__name__)

TAKEN = 10
"""Rows of each wording that count."""


def ask_wordings(
    prepared: Prepared,
    question: Question,
    queries: Sequence[str],
    *,
    engine: SearchEngine,
    embedder: Embedder,
    now: datetime,
) -> dict[UUID, float]:
    """Return the fused scores of the best rows of each wording; of a row that several found, the best.

    A wording that the embedder cannot embed is looked for by its words; one that the engine rejects is passed over.
    Raises Unavailable or Refused, as the engine does.
    """
    near: dict[UUID, float] = {}
    for query in queries:
        asked = replace(question, query=query)
        try:
            answer = ask_wording(prepared, asked, _vector(embedder, query), engine=engine, now=now)
        except Rejected as error:
            log.warning("another wording is not looked for: %s", error)
            continue
        window_weight = 0.0 if reach_of(prepared.scope).hides_window else prepared.weights.window
        both = merged(answer.candidates, answer.statistics, prepared.overlay, query, window_weight=window_weight)
        pool = pick(both.candidates, author=prepared.author, own_bonus=OWN_BONUS, limit=prepared.candidates)
        signals = Signals(author=prepared.author, rarities=both.rarities)
        for one in fuse(pool, signals=signals, weights=prepared.weights)[:TAKEN]:
            object_id = one.candidate.id
            near[object_id] = max(near.get(object_id, one.raw_score), one.raw_score)
    return near


def _vector(embedder: Embedder, query: str) -> list[float] | None:
    try:
        return [float(x) for x in embedder.query(query)]
    except BackendError as error:
        log.warning("another wording is looked for by its words alone: %s", type(error).__name__)
        return None
