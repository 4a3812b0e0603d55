"""Write: what the judge ruled on one candidate, through the verbs that callers use too."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from backends.search import names
from consolidation.models import Run
from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import INSTRUCTION, LEFT, Candidate, Stance
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Held, Judgement, Ruling
from consolidation.rules.opinion import Judged, Opinions, ruled
from consolidation.rules.weight import FLOOR
from consolidation.services.beside import REPLACING, Beside, Rest, beside
from consolidation.services.held import CLAIM, claim_of, held_for, held_one, nearby, slot_of
from consolidation.services.near import Near
from consolidation.services.select import Episode
from memories.models.memory import Contradiction, Status
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.find_memory import MemoryNotOpen
from memories.services.learn import NotSure, learn
from memories.services.new_memory import NewMemory, Span
from memories.services.references import UnknownReference
from memories.services.repeat import repeat
from memories.services.retract import retract
from tenants.scope import Scope

_REFUSALS = (SlotTaken, TextTaken, MemoryNotOpen, NotSure, UnknownReference)
_REPLACED = {Verdict.REFINED, Verdict.SUPERSEDED, Verdict.DENIED}
_UNSURE = FLOOR - 0.1
_VERDICTS = {
    Ruling.ADD: Verdict.ADDED,
    Ruling.REPEAT: Verdict.REPEATED,
    Ruling.REFINE: Verdict.REFINED,
    Ruling.SUPERSEDE: Verdict.SUPERSEDED,
    Ruling.DENY: Verdict.DENIED,
    Ruling.PAST: Verdict.PAST,
    Ruling.FORGET: Verdict.FORGOTTEN,
    Ruling.PEND: Verdict.PENDING,
    Ruling.CONTEST: Verdict.PENDING,
    Ruling.DROP: Verdict.STALE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of a candidate. memory_id: written or repeated; met_id: what it met.

    ended_key: what that was about which gave way. also: what else did. rests: what sayings that gave way still say.
    review: what to ask a person.
    """

    verdict: Verdict
    why: str
    memory_id: UUID | None = None
    met_id: UUID | None = None
    ended_key: str = ""
    review: ReviewKind | None = None
    also: tuple[UUID, ...] = ()
    rests: tuple[Rest, ...] = ()


def write(
    scope: Scope,
    run: Run,
    episode: Episode,
    candidate: Candidate,
    *,
    near: Sequence[Near] = (),
    opinions: Opinions | None = None,
    suspect: bool = False,
    now: datetime,
) -> Written:
    """Judge a candidate against what is believed at this moment, and do what follows. The run's scope is open.

    near: facts near to it by meaning, as they were a moment ago. opinions: how a model says that what rules take for
    new stands to what is known.
    suspect: it was said among instructions; it is kept for a person to decide on, and changes nothing.
    What the record refuses is told and changes nothing; the other candidates go on.
    """
    held = held_for(run, candidate, who=episode.who, turn_id=episode.turn_id)
    close = nearby(run, near, who=episode.who)
    judged = judge(candidate, held, near=close, said_at=episode.occurred_at, trust=episode.trust)
    if judged.ruling is Ruling.ADD and not suspect:
        judged = _by_model(run, episode, candidate, (opinions or {}).get((episode.turn_id, candidate))) or judged
    try:
        with transaction.atomic():
            if suspect:
                return _quarantined(scope, episode, candidate, judged, now=now)
            return _written(scope, episode, candidate, judged, now=now)
    except _REFUSALS as error:
        met = judged.met.id if judged.met is not None else None
        return Written(verdict=Verdict.SKIPPED, why=type(error).__name__, met_id=met)


def _by_model(run: Run, episode: Episode, candidate: Candidate, judged: Judged | None) -> Judgement | None:
    """Return what follows from a model's opinion, as far as what it means is believed still."""
    met = held_one(run, judged.met_id, who=episode.who) if judged is not None else None
    if judged is None or met is None:
        return None
    return ruled(
        candidate,
        met,
        judged.opinion,
        said=episode.content[candidate.start : candidate.end],
        said_at=episode.occurred_at,
        trust=episode.trust,
    )


def _written(scope: Scope, episode: Episode, candidate: Candidate, judged: Judgement, *, now: datetime) -> Written:
    met, ruling = judged.met, judged.ruling
    met_id = met.id if met is not None else None
    verdict, why = _VERDICTS[ruling], judged.why
    span = Span(turn_id=episode.turn_id, start=candidate.start, end=candidate.end)
    if ruling is Ruling.DROP:
        return Written(verdict=verdict, why=why, met_id=met_id)
    if ruling is Ruling.REPEAT and met is not None:
        memory = repeat(scope, met.id, spans=[span], method=candidate.rule, now=now)
        return Written(verdict=verdict, why=why, memory_id=memory.id, met_id=met_id)
    if ruling is Ruling.FORGET and met is not None:
        retract(scope, met.id, now=now)
        return Written(verdict=verdict, why=why, memory_id=met.id, met_id=met_id, ended_key=met.key)
    learned = learn(scope, _new(episode, candidate, judged, span), now=now)
    if not learned.created:
        verdict = Verdict.REPEATED
    review = None
    if learned.memory.accepted_at is None:
        verdict = Verdict.PENDING
        review = ReviewKind.CONFLICT if met is not None else ReviewKind.UNSURE
        if learned.memory.status == Status.QUARANTINED:
            verdict, why, review = Verdict.QUARANTINED, INSTRUCTION, ReviewKind.INSTRUCTION
    gone = beside(scope, learned.memory, candidate, judged, now=now) if verdict in _REPLACED else Beside()
    ended_key = met.key if met is not None and met.key != candidate.key else candidate.key
    return Written(
        verdict=verdict, why=why, memory_id=learned.memory.id, met_id=met_id, ended_key=ended_key, review=review,
        also=gone.closed, rests=gone.rests,
    )  # fmt: skip


def _quarantined(
    scope: Scope, episode: Episode, candidate: Candidate, judged: Judgement, *, now: datetime
) -> Written:
    """Keep a candidate in quarantine; what is known already, or asks to forget, is passed over."""
    met_id = judged.met.id if judged.met is not None else None
    if judged.ruling in {Ruling.REPEAT, Ruling.DROP, Ruling.FORGET}:
        return Written(verdict=Verdict.NOTHING, why=INSTRUCTION, met_id=met_id)
    span = Span(turn_id=episode.turn_id, start=candidate.start, end=candidate.end)
    learned = learn(scope, _new(episode, candidate, judged, span, suspect=True), now=now)
    return Written(
        verdict=Verdict.QUARANTINED,
        why=INSTRUCTION,
        memory_id=learned.memory.id,
        met_id=met_id if judged.ruling in REPLACING else None,
        review=ReviewKind.INSTRUCTION,
    )


def _new(
    episode: Episode, candidate: Candidate, judged: Judgement, span: Span, *, suspect: bool = False
) -> NewMemory:
    return new_of(candidate, judged, who=episode.who, said_at=episode.occurred_at, spans=(span,), suspect=suspect)


def _predicate_of(candidate: Candidate, met: Held | None) -> str:
    """Return what a memory is filed under: what ended without a word of what it was, under what it ended."""
    vague = candidate.stance is Stance.ENDED and (candidate.only_if_met or candidate.predicate == LEFT)
    return met.predicate if vague and met is not None and met.predicate else candidate.predicate


def new_of(
    candidate: Candidate,
    judged: Judgement,
    *,
    who: str,
    said_at: datetime,
    spans: tuple[Span, ...] = (),
    suspect: bool = False,
) -> NewMemory:
    """Return the memory to learn; only what holds now takes a slot, and only what is sure takes another's place."""
    met, ruling = judged.met, judged.ruling
    takes_place = ruling in REPLACING and not suspect
    pending = ruling in {Ruling.PEND, Ruling.CONTEST}
    slot = candidate.slot if candidate.stance is Stance.HOLDS else None
    valid_from = candidate.valid_from or said_at
    valid_to = candidate.valid_to
    if ruling is Ruling.PAST and met is not None:
        valid_to = max(met.valid_from, valid_from)
    return NewMemory(
        text=candidate.text,
        memory_type=names.SEMANTIC,
        category=candidate.category,
        predicate=_predicate_of(candidate, met),
        slot=slot_of(slot, who) if slot is not None else None,
        importance=candidate.importance,
        confidence=min(candidate.confidence, _UNSURE) if pending else candidate.confidence,
        metadata={CLAIM: claim_of(candidate, who)},
        valid_from=valid_from,
        valid_to=valid_to,
        ttl_days=candidate.ttl_days,
        supersedes_id=met.id if met is not None and takes_place else None,
        contradiction=Contradiction.HARSH if ruling is Ruling.DENY else Contradiction.NATURAL,
        spans=spans,
        method=candidate.rule,
        suspect=suspect,
    )
