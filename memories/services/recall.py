"""Recall: one question in, the few memories that matter out, each read again from the record.

No transaction is held while the embedder or the engine is asked: two short scopes stand before and after them.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from backends.embedders.base import Embedder
from backends.errors import BackendError, Refused
from backends.search.base import Answer, Query, SearchEngine, Where
from memories.fusion import Ranked, Weights, fuse, pick
from memories.models import Memory
from memories.services.overlay import RARE_AT_MOST, merged
from memories.services.prepare_recall import Prepared, prepare_recall
from memories.services.question import Question
from memories.services.read_back import empty_reason, read_back
from memories.stopwatch import Stopwatch
from tenants.scope import Ability, Scope
from tenants.services.engine_credential import engine_credential, forget_credential, reach_of
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

CANDIDATES = 80
"""Candidates of each leg. Source: design note on recall, section 3, step 5."""
OWN_BONUS = 0.9
"""Lexical bonus of the participant asked about, on Lucene's scale: 2 / 2.2. Source: the same, scale trap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory of an answer, and how it was ranked."""

    memory: Memory
    ranked: Ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What recall answers. reason: why it is empty. degraded: the parts that did not answer. took_ms: by step."""

    id: UUID
    hits: tuple[Hit, ...]
    reason: str | None
    degraded: tuple[str, ...]
    took_ms: Mapping[str, float]
    weights: Weights
    fresh_ids: frozenset[UUID]


def recall(scope: Scope, question: Question, *, engine: SearchEngine, embedder: Embedder, now: datetime) -> Recalled:
    """Answer one question.

    1. Embed it. 2. First scope: whose memories, who speaks in them, what the engine cannot show yet.
    3. Search with the scope's own engine credential. 4. Merge and fuse. 5. Second scope: read again under
    row-level security, and note the event.
    An embedder or engine that is away degrades the answer, and the answer says so.
    Raises ScopeDenied, when the key may not read memories or belongs to another user.
    """
    scope.require(Ability.MEMORIES_READ)
    watch, degraded = Stopwatch(), []
    vector: list[float] | None = None
    with watch.step("embed"):
        try:
            vector = [float(x) for x in embedder.query(question.query)]
        except BackendError:
            degraded.append("embedder")
    with watch.step("prepare"):
        prepared = prepare_recall(scope, question, vector, model=embedder.model)
    answer = Answer(candidates=(), took_ms={})
    if prepared.searchable:
        with watch.step("search"):
            try:
                answer = _search(prepared, question, vector, engine=engine, now=now)
            except BackendError as error:
                log.warning("recall goes on without the engine: %s: %s", type(error).__name__, error)
                degraded.append("search")
    with watch.step("fuse"):
        pool = pick(
            merged(answer, prepared, question.query),
            author=prepared.author,
            own_bonus=OWN_BONUS,
            limit=CANDIDATES,
        )
        ranked = fuse(pool, author=prepared.author, weights=prepared.weights)
    with watch.step("read"):
        return _answered(prepared, question, ranked, degraded, watch, now=now)


def _search(
    prepared: Prepared,
    question: Question,
    vector: Sequence[float] | None,
    *,
    engine: SearchEngine,
    now: datetime,
) -> Answer:
    """Ask the engine with the scope's credential; one that the engine no longer knows is minted anew, once."""
    query = Query(
        reach=reach_of(prepared.scope),
        text=question.query,
        vector=vector,
        author=prepared.author,
        where=Where(session_ids=prepared.session_ids, agent_id=question.agent_id, valid_at=question.valid_at),
        candidates=CANDIDATES,
        window_weight=prepared.weights.window,
        own_bonus=OWN_BONUS,
        rare_at_most=RARE_AT_MOST,
        statistics=bool(prepared.overlay),
    )
    credential = engine_credential(prepared.scope, engine, now=now)
    try:
        return engine.search(query, using=credential)
    except Refused:
        if engine.reach_of(credential.id) is not None:
            raise  # the credential is alive, so a new one would be refused too
        forget_credential(prepared.scope, engine)
        return engine.search(query, using=engine_credential(prepared.scope, engine, now=now))


def _answered(
    prepared: Prepared,
    question: Question,
    ranked: Sequence[Ranked],
    degraded: Sequence[str],
    watch: Stopwatch,
    *,
    now: datetime,
) -> Recalled:
    scope = prepared.scope
    with open_scope(scope):
        memories = read_back(scope, [item.candidate.id for item in ranked], question, prepared.session_ids)
        hits = [
            Hit(memory=memories[item.candidate.id], ranked=item) for item in ranked if item.candidate.id in memories
        ]
        reason = None if hits else empty_reason(question, prepared)
        event = note_event(
            scope,
            "recall.answered",
            object_ids=[hit.memory.id for hit in hits],
            subject=prepared.subject,
            data={"results": len(hits), "reason": reason, "degraded": list(degraded)},
            now=now,
        )
    return Recalled(
        id=event.id,
        hits=tuple(hits),
        reason=reason,
        degraded=tuple(degraded),
        took_ms=watch.took_ms(),
        weights=prepared.weights,
        fresh_ids=frozenset(item.memory.id for item in prepared.overlay),
    )
