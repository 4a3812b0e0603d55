"""Recall with the engine and the models that this site is set up with."""

from datetime import datetime

from memories.services.answer_recall import Recalled
from memories.services.engine import embedder, reranker, search_engine, token_encoder
from memories.services.language_model import language_model
from memories.services.question import Question
from memories.services.recall import recall
from tenants.scope import Scope


def recall_here(scope: Scope, question: Question, *, now: datetime) -> Recalled:
    """Answer one question. Raises as memories.services.recall does."""
    return recall(
        scope,
        question,
        engine=search_engine(),
        embedder=embedder(),
        encoder=token_encoder(),
        reranker=reranker(),
        llm=language_model(),
        now=now,
    )
