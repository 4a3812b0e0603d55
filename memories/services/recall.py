"""Recall: one question in, the few memories that matter out, each read again from the record.

No transaction is held while a model or the engine is asked: short scopes stand before and after them.
"""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from backends.embedders.base import Embedder
from backends.errors import BackendError
from backends.llms.base import LLM
from backends.rerankers.base import Reranker
from backends.search.base import Answer, SearchEngine
from backends.token_encoders.base import AskedTokens, TokenEncoder
from memories.fusion import Signals, pick
from memories.services.answer_recall import Gathered, Recalled, answer_recall
from memories.services.ask_engine import OWN_BONUS, ask_engine
from memories.services.ask_wordings import ask_wordings
from memories.services.beside import beside
from memories.services.embed_fresh import embed_fresh
from memories.services.overlay import NOTHING_KNOWN, merged
from memories.services.prepare_recall import Prepared, measure_overlay, prepare_recall
from memories.services.question import Question
from memories.services.rerank import rerank
from memories.services.rewrite import Rewriting, begin_rewriting, rewritten
from memories.stopwatch import Stopwatch
from tenants.scope import Ability, Scope
from tenants.services.engine_credential import reach_of

log = logging.getLogger(__name__)

MODEL_WAIT_S = 5.0
"""How long a model is waited for; it takes milliseconds unless it is being loaded, or is away."""


def recall(
    scope: Scope,
    question: Question,
    *,
    engine: SearchEngine,
    embedder: Embedder,
    encoder: TokenEncoder | None = None,
    reranker: Reranker | None = None,
    llm: LLM | None = None,
    now: datetime,
) -> Recalled:
    """Answer one question.

    1. Embed it, beside the first scope: whose memories, who speaks in them, what the engine cannot show yet, what is
    near to the entities it names. A language model is asked for other wordings, where the policy wants it. 2. Search
    with the scope's own engine credential, in those wordings too. 3. Merge what is new; a cross-encoder reads the
    best, where there is one. 4. Last scope: what the record confirms is fused, weighed, read again under row-level
    security and chosen from; use, event and log are noted.
    A model or engine that is away degrades the answer, and the answer says so.
    Raises ScopeDenied, when the key may not read memories or a kind asked for, or belongs to another user.
    """
    scope.require(Ability.MEMORIES_READ)
    watch, degraded = Stopwatch(), list[str]()
    embedding = beside(lambda: [float(x) for x in embedder.query(question.query)])
    with watch.step("prepare"):
        prepared = prepare_recall(scope, question, engine=engine.name, now=now)
    tokens, begun = _tokens(prepared, question, encoder), begin_rewriting(prepared, question, llm)
    with watch.step("embed"):
        vector = _embedded(embedding, degraded)
    with watch.step("embed_fresh"):
        prepared = measure_overlay(prepared, vector, model=embedder.model)
        prepared = replace(prepared, overlay=embed_fresh(prepared.overlay, vector, embedder))
    if not prepared.overlay_is_whole:
        degraded.append("overlay")  # more was said than was looked at, and the engine cannot show it yet
    with watch.step("rewrite"):
        rewriting = rewritten(begun, question)
        if rewriting is not None and rewriting.code:
            degraded.append("rewrite")
    with watch.step("search"):
        answer, near = _searched(
            prepared, question, vector, rewriting, degraded, engine=engine, embedder=embedder, now=now
        )
    with watch.step("merge"):
        gathered = replace(_gathered(prepared, question, answer, near), vector=vector, rewriting=rewriting)
    if reranker is not None and prepared.weights.rerank:
        with watch.step("rerank"):
            gathered = _reranked(prepared, question, gathered, reranker, degraded, now=now)
    with watch.step("tokens"):
        gathered = replace(gathered, tokens=_waited_for(tokens), token_model=encoder.model if encoder else "")
    return answer_recall(
        prepared,
        question,
        gathered,
        degraded=degraded,
        engine=engine.name,
        model=embedder.model,
        watch=watch,
        now=now,
    )


def _searched(
    prepared: Prepared,
    question: Question,
    vector: Sequence[float] | None,
    rewriting: Rewriting | None,
    degraded: list[str],
    *,
    engine: SearchEngine,
    embedder: Embedder,
    now: datetime,
) -> tuple[Answer, Mapping[UUID, float]]:
    """Return what the engine proposes, and the scores that other wordings of the question give."""
    nothing = Answer(candidates=(), took_ms={}, statistics=NOTHING_KNOWN)
    if not prepared.kinds:
        return nothing, {}
    queries = () if rewriting is None else rewriting.queries
    try:
        near = ask_wordings(prepared, question, queries, engine=engine, embedder=embedder, now=now)
        answer = ask_engine(prepared, question, vector, also=near, engine=engine, now=now)
    except BackendError as error:
        log.warning("recall goes on without the engine: %s: %s", type(error).__name__, error)
        degraded.append("search")
        return nothing, {}
    degraded += answer.missing
    return answer, near


def _embedded(embedding: "Future[list[float]]", degraded: list[str]) -> list[float] | None:
    try:
        return embedding.result(timeout=MODEL_WAIT_S)
    except (BackendError, TimeoutError) as error:
        log.warning("recall goes on without the embedder: %s: %s", type(error).__name__, error)
        degraded.append("embedder")
        return None


def _tokens(prepared: Prepared, question: Question, encoder: TokenEncoder | None) -> "Future[AskedTokens] | None":
    """Begin to encode a question in a language that the encoder knows, where late interaction has a weight."""
    if encoder is None or not prepared.weights.late or not encoder.reads(question.query):
        return None
    return beside(lambda: encoder.question(question.query))


def _waited_for(tokens: "Future[AskedTokens] | None") -> AskedTokens | None:
    """Return the question's tokens; late interaction is an improvement that an answer never waits long for."""
    if tokens is None:
        return None
    try:
        return tokens.result(timeout=MODEL_WAIT_S)
    except (BackendError, TimeoutError) as error:
        log.warning("recall goes on without late interaction: %s: %s", type(error).__name__, error)
        return None


def _reranked(
    prepared: Prepared,
    question: Question,
    gathered: Gathered,
    reranker: Reranker,
    degraded: list[str],
    *,
    now: datetime,
) -> Gathered:
    """Return the pool with a cross-encoder's scores; without them, where it does not answer."""
    try:
        scores = rerank(prepared, question, gathered, reranker=reranker, now=now)
    except BackendError as error:
        log.warning("recall goes on without the reranker: %s: %s", type(error).__name__, error)
        degraded.append("reranker")
        return gathered
    return replace(gathered, signals=replace(gathered.signals, rerank=scores), reranker=reranker.model)


def _gathered(prepared: Prepared, question: Question, answer: Answer, near: Mapping[UUID, float]) -> Gathered:
    """Return the pool of the engine and the overlay together. near: by other wordings of the question."""
    both = merged(
        answer.candidates,
        answer.statistics,
        prepared.overlay,
        question.query,
        window_weight=0.0 if reach_of(prepared.scope).hides_window else prepared.weights.window,
    )
    pool = pick(
        both.candidates, author=prepared.author, own_bonus=OWN_BONUS, limit=prepared.candidates, also=prepared.graph
    )
    asked = {candidate.id for candidate in pool}
    added = [one for one in both.candidates if one.id in near and one.id not in asked]
    signals = Signals(
        author=prepared.author,
        rarities=both.rarities,
        graph=prepared.graph,
        rewrite=near,
        added=frozenset(candidate.id for candidate in added),
    )
    return Gathered(
        candidates=(*pool, *added), signals=signals, known=both.known, legs=answer.legs, fusion=answer.fusion
    )
