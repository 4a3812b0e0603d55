"""Recall: one question in, the few memories that matter out, each read again from the record.

No transaction is held while the embedder or the engine is asked: short scopes stand before and after them.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.embedders.base import Embedder
from backends.errors import BackendError, Refused
from backends.search.base import Answer, Query, SearchEngine, Where
from memories.fusion import Ranked, Weights, fuse, pick
from memories.services.embed_fresh import embed_fresh
from memories.services.note_use import note_use
from memories.services.overlay import NOTHING_KNOWN, RARE_AT_MOST, merged
from memories.services.prepare_recall import Prepared, prepare_recall
from memories.services.question import Question
from memories.services.read_back import empty_reason, read_back
from memories.services.searched import Key
from memories.stopwatch import Stopwatch
from tenants.scope import Ability, Scope
from tenants.services.engine_credential import engine_credential, forget_credential, reach_of
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

CANDIDATES = 80
"""Candidates of each leg. Source: design note on recall, section 3, step 5."""
OWN_BONUS = 0.9
"""Lexical bonus of the participant asked about, on Lucene's scale. Source: the same, scale trap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One row of an answer (a memory, entity, relation or catalog document), and how it was ranked."""

    row: Any
    ranked: Ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What recall answers.

    reason: why it is empty; None where it is not, or where a part that did not answer may be why.
    degraded: the parts that did not answer, or not for all. took_ms: by step. fresh: rows that came from the overlay.
    """

    id: UUID
    hits: tuple[Hit, ...]
    reason: str | None
    degraded: tuple[str, ...]
    took_ms: Mapping[str, float]
    weights: Weights
    fresh: frozenset[Key]


def recall(scope: Scope, question: Question, *, engine: SearchEngine, embedder: Embedder, now: datetime) -> Recalled:
    """Answer one question.

    1. Embed it. 2. First scope: whose memories, who speaks in them, what the engine cannot show yet; the newest of it
    is embedded. 3. Search with the scope's own engine credential. 4. Merge and fuse. 5. Last scope: read again under
    row-level security, and note use and event.
    An embedder or engine that is away degrades the answer, and the answer says so.
    Raises ScopeDenied, when the key may not read memories or a kind asked for, or belongs to another user.
    """
    scope.require(Ability.MEMORIES_READ)
    watch, degraded = Stopwatch(), []
    vector: list[float] | None = None
    with watch.step("embed"):
        try:
            vector = [float(x) for x in embedder.query(question.query)]
        except BackendError as error:
            log.warning("recall goes on without the embedder: %s: %s", type(error).__name__, error)
            degraded.append("embedder")
    with watch.step("prepare"):
        prepared = prepare_recall(scope, question, vector, model=embedder.model, now=now)
    with watch.step("embed_fresh"):
        prepared = replace(prepared, overlay=embed_fresh(prepared.overlay, vector, embedder))
    if not prepared.overlay_is_whole:
        degraded.append("overlay")  # more was said than was looked at, and the engine cannot show it yet
    answer = Answer(candidates=(), took_ms={}, statistics=NOTHING_KNOWN)
    if prepared.kinds:
        with watch.step("search"):
            try:
                answer = _search(prepared, question, vector, engine=engine, now=now)
            except BackendError as error:
                log.warning("recall goes on without the engine: %s: %s", type(error).__name__, error)
                degraded.append("search")
    with watch.step("fuse"):
        ranked = _ranked(prepared, question, answer)
    with watch.step("read"):
        hits, reason, event_id = _answered(prepared, question, ranked, degraded, now=now)
    return Recalled(
        id=event_id,
        hits=hits,
        reason=reason,
        degraded=tuple(degraded),
        took_ms=watch.took_ms(),
        weights=prepared.weights,
        fresh=frozenset((item.row.kind, item.row.id) for item in prepared.overlay),
    )


def _search(
    prepared: Prepared,
    question: Question,
    vector: Sequence[float] | None,
    *,
    engine: SearchEngine,
    now: datetime,
) -> Answer:
    """Ask the engine with the scope's credential; one that the engine no longer knows is minted anew, once."""
    scope = prepared.scope
    query = Query(
        reach=replace(reach_of(scope), kinds=prepared.kinds),
        text=question.query,
        vector=vector,
        author=prepared.author,
        where=Where(
            valid_at=question.valid_at,
            as_of=question.as_of,
            judged_at=question.judged_at(now),
            superseded=question.include_superseded,
            own_only=not question.include_shared,
            filters=question.filters,
        ),
        candidates=CANDIDATES,
        window_weight=prepared.weights.window,
        own_bonus=OWN_BONUS,
        rare_at_most=RARE_AT_MOST,
        without=tuple(fresh.row.id for fresh in prepared.overlay),
    )
    holder = prepared.credential_scope
    credential = engine_credential(holder, engine, now=now)
    try:
        return engine.search(query, using=credential)
    except Refused:
        if engine.reach_of(credential.id) is not None:
            raise  # the credential is alive, so a new one would be refused too
        forget_credential(holder, engine)
        return engine.search(query, using=engine_credential(holder, engine, now=now))


def _ranked(prepared: Prepared, question: Question, answer: Answer) -> list[Ranked]:
    both = merged(
        answer.candidates,
        answer.statistics,
        prepared.overlay,
        question.query,
        window_weight=0.0 if reach_of(prepared.scope).hides_window else prepared.weights.window,
    )
    pool = pick(both.candidates, author=prepared.author, own_bonus=OWN_BONUS, limit=CANDIDATES)
    return fuse(pool, author=prepared.author, weights=prepared.weights, rarities=both.rarities)


def _answered(
    prepared: Prepared,
    question: Question,
    ranked: Sequence[Ranked],
    degraded: Sequence[str],
    *,
    now: datetime,
) -> tuple[tuple[Hit, ...], str | None, UUID]:
    """Return the hits, why there are none, and the id of the event."""
    scope = prepared.scope
    keys = [(item.candidate.kind, item.candidate.id) for item in ranked]
    with open_scope(scope):
        rows = read_back(scope, keys, question, prepared.kinds, now=now)
        hits = tuple(Hit(row=rows[key], ranked=item) for key, item in zip(keys, ranked, strict=True) if key in rows)
        reason = None
        if not hits and not degraded:
            reason = empty_reason(scope, question, prepared.kinds, now=now)
        note_use(scope, [hit.row for hit in hits], now=now)
        event = note_event(
            scope,
            "recall.answered",
            object_ids=[hit.row.id for hit in hits],
            subject=prepared.subject,
            data={"results": len(hits), "reason": reason, "degraded": list(degraded)},
            now=now,
        )
    return hits, reason, event.id
