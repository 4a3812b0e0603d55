"""Rerank: a cross-encoder reads the question with each of the best placed memories."""

from datetime import datetime
from uuid import UUID

from backends.rerankers.base import Reranker
from memories.documents.searched_text import searched_text
from memories.fusion import fuse
from memories.services.answer_recall import Gathered
from memories.services.prepare_recall import Prepared
from memories.services.question import Question
from memories.services.read_head import confirmed_rows
from tenants.services.open_scope import open_scope

RERANKED = 80
"""Memories read. Source: design note on recall, section 4 (ceiling): .93 of the gold turns are among these."""


def rerank(
    prepared: Prepared, question: Question, gathered: Gathered, *, reranker: Reranker, now: datetime
) -> dict[UUID, float]:
    """Return the model's score of each of the best fused memories that the record confirms.

    Their text is read in a scope of its own, which is closed before the model is asked.
    Raises BackendError, as the reranker does.
    """
    order = fuse(gathered.candidates, signals=gathered.signals, weights=prepared.weights)
    keys = [(one.candidate.kind, one.candidate.id) for one in order[:RERANKED]]
    with open_scope(prepared.scope):
        rows = confirmed_rows(prepared.scope, keys, question, prepared.kinds, now=now)
        texts = {row.id: searched_text(row) for row in rows.values()}
    scores = reranker.scores(question.query, list(texts.values()))
    return dict(zip(texts, scores, strict=True))
