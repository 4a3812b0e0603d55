"""Ask the search engine with the scope's own credential."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from backends.errors import Refused
from backends.search.base import Answer, Query, SearchEngine, Where
from backends.search.filters import And, Compared, Field, Order
from memories.periods import Period
from memories.services.kept_answers import keep_answer, kept_answer
from memories.services.overlay import RARE_AT_MOST
from memories.services.prepare_recall import Prepared
from memories.services.question import Question
from tenants.services.engine_credential import engine_credential, forget_credential, reach_of

PERIOD_CANDIDATES = 20
"""How many of a period that the question names each leg proposes, beside the others."""
OWN_BONUS = 0.9
"""Lexical bonus of the participant asked about, on Lucene's scale. Source: design note on recall, section 3."""


def ask_engine(
    prepared: Prepared,
    question: Question,
    vector: Sequence[float] | None,
    *,
    also: Iterable[UUID] = (),
    engine: SearchEngine,
    now: datetime,
) -> Answer:
    """Return what the engine proposes to a question, and to the same question of the period that it names.

    also: rows that join the pool beside those near to the entities that the question names.
    Raises BackendError, as the engine's search does; KeyRefused, when the key was revoked meanwhile.
    """
    query = replace(_query_of(prepared, question, vector), also=tuple(dict.fromkeys((*prepared.graph, *also))))
    answer = _kept_or_asked(prepared, query, engine=engine, now=now)
    if prepared.period is None:
        return answer
    return _joined(answer, _kept_or_asked(prepared, _within(query, prepared.period), engine=engine, now=now))


def ask_wording(
    prepared: Prepared, question: Question, vector: Sequence[float] | None, *, engine: SearchEngine, now: datetime
) -> Answer:
    """Return what the engine proposes to another wording of the question. Raises as ask_engine does."""
    return _kept_or_asked(prepared, _query_of(prepared, question, vector), engine=engine, now=now)


def _query_of(prepared: Prepared, question: Question, vector: Sequence[float] | None) -> Query:
    """Return what the engine is asked."""
    return Query(
        reach=replace(reach_of(prepared.scope), kinds=prepared.kinds),
        text=question.query,
        vector=vector,
        author=prepared.author,
        where=Where(
            valid_at=question.valid_at,
            as_of=question.as_of,
            judged_at=prepared.judged_at,
            superseded=question.include_superseded,
            archived=question.include_archived,
            own_only=not question.include_shared,
            filters=question.filters,
        ),
        candidates=prepared.candidates,
        window_weight=prepared.weights.window,
        own_bonus=OWN_BONUS,
        rare_at_most=RARE_AT_MOST,
        without=tuple(fresh.row.id for fresh in prepared.overlay),
        dense_weight=prepared.weights.dense,
        semantic_weight=prepared.weights.semantic,
        rank_constant=int(prepared.policy.number("recall.rank_constant")),
    )


def _within(query: Query, period: Period) -> Query:
    """Return the query for what lies in a period alone: such memories are few, and may share no word with it."""
    begun = Compared(field=Field(name="valid_from"), order=Order.GTE, value=period.start)
    not_over = Compared(field=Field(name="valid_from"), order=Order.LT, value=period.end)
    held = () if query.where.filters is None else (query.where.filters,)
    where = replace(query.where, filters=And(parts=(*held, begun, not_over)))
    return replace(query, where=where, candidates=min(query.candidates, PERIOD_CANDIDATES))


def _joined(answer: Answer, other: Answer) -> Answer:
    """Return the first answer with the candidates that only the other has."""
    known = {candidate.id for candidate in answer.candidates}
    more = tuple(candidate for candidate in other.candidates if candidate.id not in known)
    took_ms = {**answer.took_ms, "period": sum(other.took_ms.values())}
    return replace(answer, candidates=(*answer.candidates, *more), took_ms=took_ms)


def _kept_or_asked(prepared: Prepared, query: Query, *, engine: SearchEngine, now: datetime) -> Answer:
    """Return the engine's answer, or what it answered to the same a moment ago, if nothing was written since.

    A credential that the engine no longer knows is minted anew, once.

    Raises BackendError, as the engine's search does; KeyRefused, when the key was revoked meanwhile.
    """
    seconds = prepared.policy.number("recall.cache_s")
    kept = kept_answer(query, engine=engine.name, version=prepared.version) if seconds else None
    if kept is not None:
        return kept
    answer = _asked(prepared, query, engine=engine, now=now)
    if answer.missing:
        return answer  # what was away is asked again by the next question
    keep_answer(query, answer, engine=engine.name, version=prepared.version, seconds=seconds)
    return answer


def _asked(prepared: Prepared, query: Query, *, engine: SearchEngine, now: datetime) -> Answer:
    holder = prepared.credential_scope
    credential = prepared.credential or engine_credential(holder, engine, now=now)
    try:
        return engine.search(query, using=credential)
    except Refused:
        if engine.reach_of(credential.id) is not None:
            raise  # the credential is alive, so a new one would be refused too
        forget_credential(holder, engine)
        return engine.search(query, using=engine_credential(holder, engine, now=now))
