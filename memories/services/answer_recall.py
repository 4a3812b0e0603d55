"""The last scope of recall: what the record confirms is placed, read again, chosen from and noted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search.base import PORTABLE, Candidate, Statistics
from backends.token_encoders.base import AskedTokens
from memories.fusion import Signals, fuse
from memories.models import Memory, Turn
from memories.passages import Span
from memories.question_kinds import SUITS, kind_of
from memories.ranking import Outcome, Placed, Pool, choose, place
from memories.services.best_passages import best_passages
from memories.services.empty_reason import empty_reason
from memories.services.late_scores import HEAD, late_scores
from memories.services.log_recall import log_recall
from memories.services.note_use import note_use
from memories.services.packed_ranking import Kept
from memories.services.prepare_recall import Prepared
from memories.services.question import Question
from memories.services.read_head import Head, key_of, read_head
from memories.services.rewrite import Rewriting, note_rewriting
from memories.services.said_in import said_in
from memories.services.searched import Key
from memories.services.strengths import tiers_of
from memories.services.traits_of import traits_of
from memories.stopwatch import Stopwatch
from memories.weighing import Asked
from memories.weights import Weights
from tenants.models import Subject
from tenants.policy import Policy
from tenants.scope import Ability, Scope
from tenants.services.engine_credential import reach_of
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

NONE, WEAK, STRONG = "none", "weak", "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What the legs brought. known: counts of the reach. vector: the question's; None where the embedder is away.

    tokens: the question's, for late interaction.

    legs, fusion: as backends.search.base.Answer has them. reranker: the model that read the head; empty: none did.
    rewriting: None: no model was asked for other wordings.
    """

    candidates: tuple[Candidate, ...]
    signals: Signals
    known: Statistics
    vector: Sequence[float] | None = None
    tokens: AskedTokens | None = None
    token_model: str = ""
    legs: tuple[str, ...] = ()
    fusion: str = PORTABLE
    reranker: str = ""
    rewriting: Rewriting | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One row of an answer (a memory, entity, relation or catalog document), how it was ranked, and its score.

    said_in: the turn it was read from; None where it is a turn itself, where there is none, or for who may not know.
    passage: of a long row, where in its text the question is best answered; None for others.
    """

    row: Any
    placed: Placed
    score: float
    said_in: Turn | None = None
    passage: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What recall answers.

    reason: why it is empty; None where it is not, or where a part that did not answer may be why.
    match: none, weak or strong: how likely an answer is among the hits.
    degraded: the parts that did not answer, or not for all. took_ms: by step. fresh: rows that came from the overlay.
    tiers: of the memories among the hits, as they were before this recall.
    scope: narrowed to the subject asked for. rows: what was read, the near misses of outcome among it.
    question_kind: memories.question_kinds. gathered: what the answer was made of.
    """

    id: UUID
    scope: Scope
    subject: Subject | None
    hits: tuple[Hit, ...]
    tiers: Mapping[UUID, str]
    reason: str | None
    match: str
    degraded: tuple[str, ...]
    took_ms: Mapping[str, float]
    weights: Weights
    policy: Policy
    asked: Asked
    question_kind: str
    gathered: Gathered
    outcome: Outcome
    rows: Mapping[Key, Any]
    fresh: frozenset[Key]


def answer_recall(
    prepared: Prepared,
    question: Question,
    gathered: Gathered,
    *,
    degraded: Sequence[str],
    engine: str,
    model: str,
    watch: Stopwatch,
    now: datetime,
) -> Recalled:
    """Choose the answer, in one short scope, and note it.

    1. Traits of what the record confirms. 2. Late interaction at the head. 3. Place. 4. Read the best rows again, and
    choose. 5. Use, event and log.
    """
    scope, policy = prepared.scope, prepared.policy
    kind = kind_of(question.query)
    threshold = policy.number("recall.threshold") if question.threshold is None else question.threshold
    asked = Asked(at=prepared.judged_at, period=prepared.period, kinds=SUITS[kind])
    with open_scope(scope):
        with watch.step("confirm"):
            pool = _confirmed(prepared, question, gathered, asked, now=now)
        with watch.step("late"):
            pool = _with_late(pool, gathered, prepared.weights)
        with watch.step("rank"):
            placed = place(pool, weights=prepared.weights, policy=policy)
        with watch.step("read"):
            head = _read(prepared, question, gathered, placed, pool, now=now)
            pool = replace(pool, traits={key: held for key, held in pool.traits.items() if key not in head.gone})
            outcome = choose(placed, pool, head.read, top_k=question.top_k, threshold=threshold)
        with watch.step("passages"):
            hits = _hits(scope, outcome, head, question, gathered, model=model)
        with watch.step("note"):
            reason = None
            if not hits and not degraded:
                reason = empty_reason(scope, question, prepared.kinds, now=now)
            memories = [hit.row.id for hit in hits if isinstance(hit.row, Memory)]
            tiers = tiers_of(memories, policy, at=now)
            note_use(scope, [hit.row for hit in hits], now=now)
            event = note_event(
                scope,
                "recall.answered",
                object_ids=[hit.row.id for hit in hits],
                subject=prepared.subject,
                data={"results": len(hits), "reason": reason, "degraded": list(degraded)},
                now=now,
            )
            note_rewriting(prepared, gathered.rewriting, recall_id=event.id, now=now)
            kept = Kept(
                pool=pool,
                read=head.read,
                weights=prepared.weights,
                top_k=question.top_k,
                threshold=threshold,
                scores=tuple(hit.score for hit in hits),
                wordings=gathered.rewriting.queries if gathered.rewriting else (),
            )
            log_recall(
                prepared, question, kept, [hit.row.id for hit in hits], recall_id=event.id, reason=reason,
                degraded=degraded, engine=engine, model=model, took_ms=watch.took_ms(), now=now,
            )  # fmt: skip
    return Recalled(
        id=event.id,
        scope=scope,
        subject=prepared.subject,
        hits=hits,
        tiers=tiers,
        reason=reason,
        match=match_of([hit.score for hit in hits], policy),
        degraded=tuple(degraded),
        took_ms=watch.took_ms(),
        weights=prepared.weights,
        policy=policy,
        asked=asked,
        question_kind=kind,
        gathered=gathered,
        outcome=outcome,
        rows=head.rows,
        fresh=frozenset((item.row.kind, item.row.id) for item in prepared.overlay),
    )


def match_of(scores: Sequence[float], policy: Policy) -> str:
    """Return how well an answer matches, by its best score."""
    best = max(scores, default=0.0)
    if not scores or best < policy.number("recall.weak"):
        return NONE
    return STRONG if best >= policy.number("recall.strong") else WEAK


def _hits(
    scope: Scope, outcome: Outcome, head: Head, question: Question, gathered: Gathered, *, model: str
) -> tuple[Hit, ...]:
    chosen = [(head.rows[key_of(one)], one, score) for one, score in outcome.chosen if key_of(one) in head.rows]
    told = Ability.PROVENANCE_READ in scope.abilities
    turns = said_in(row for row, _, _ in chosen) if told else {}
    rows = [row for row, _, _ in chosen]
    spans = best_passages(rows, question.query, gathered.vector, model=model, known=gathered.known)
    return tuple(
        Hit(row=row, placed=one, score=score, said_in=turns.get(row.id), passage=spans.get(row.id))
        for row, one, score in chosen
    )


def _confirmed(prepared: Prepared, question: Question, gathered: Gathered, asked: Asked, *, now: datetime) -> Pool:
    keys = [(candidate.kind, candidate.id) for candidate in gathered.candidates]
    traits = traits_of(prepared.scope, keys, question, prepared.kinds, now=now)
    return Pool(candidates=gathered.candidates, signals=gathered.signals, traits=traits, asked=asked)


def _with_late(pool: Pool, gathered: Gathered, weights: Weights) -> Pool:
    """Return the pool with the scores of late interaction of its head, where they are to be had."""
    if gathered.tokens is None or not weights.late:
        return pool
    order = fuse(pool.candidates, signals=pool.signals, weights=weights)
    head = [one.candidate.id for one in order if one.candidate.id in pool.traits][:HEAD]
    late = late_scores(head, gathered.tokens, model=gathered.token_model, known=gathered.known)
    return replace(pool, signals=replace(pool.signals, late=late))


def _read(
    prepared: Prepared, question: Question, gathered: Gathered, placed: list[Placed], pool: Pool, *, now: datetime
) -> Head:
    return read_head(
        prepared.scope,
        placed,
        pool,
        question,
        prepared.kinds,
        known=gathered.known,
        drop_repeats=bool(prepared.policy["recall.near_duplicates"]),
        hides_window=reach_of(prepared.scope).hides_window,
        now=now,
    )
