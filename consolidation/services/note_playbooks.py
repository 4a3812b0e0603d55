"""Note playbooks: what a model found of them is learnt, counted or refined; an outcome once, whoever found it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from backends.search import names
from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import INSTRUCTION
from consolidation.rules.ground import MODEL_ALONE
from consolidation.rules.ground_playbooks import ToldPlaybook, is_known, is_same_trigger
from consolidation.rules.outcomes import outcome_of
from consolidation.services.ask_model import Read
from consolidation.services.outcomes import BETTER, IMPORTANCE, INSTEAD, OWN, WORKED, stands_here
from consolidation.services.select import Episode
from consolidation.services.shown import known_playbooks
from consolidation.services.write import Written
from memories.models import Memory, Procedure, Turn
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH, Status
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.find_memory import MemoryNotOpen
from memories.services.learn import learn
from memories.services.new_memory import NewMemory, Span
from memories.services.playbooks import note_outcome, playbook_text
from memories.services.references import UnknownReference
from memories.services.refine import refine
from memories.trust import Trust, least
from tenants.scope import Scope

_REFUSALS = (SlotTaken, TextTaken, MemoryNotOpen, UnknownReference, Memory.DoesNotExist, Procedure.DoesNotExist)


@dataclass(slots=True, kw_only=True)
class Taken:
    """What was made of a turn's words about playbooks already, by rules or in an earlier reading."""

    counted: bool = False
    refined: bool = False
    made: bool = False


def taken_of(turn_id: UUID, decisions: Sequence[Decision]) -> Taken:
    """Return what decisions of this reading, and stored ones on the turn, made of playbooks. A scope is open."""
    stored = Decision.objects.filter(turn_id=turn_id).filter(
        Q(verdict=Verdict.OUTCOME) | Q(why__in=[WORKED, OWN, BETTER, INSTEAD])
    )
    all_of_them = [(str(one.verdict), one.why) for one in (*decisions, *stored)]
    return Taken(
        counted=any(verdict == Verdict.OUTCOME or why in {WORKED, INSTEAD} for verdict, why in all_of_them),
        refined=any(why in {BETTER, INSTEAD} for _, why in all_of_them),
        made=any(verdict == Verdict.ADDED and why in {WORKED, OWN} for verdict, why in all_of_them),
    )


def note_playbooks(
    scope: Scope, run: Run, episode: Episode, read: Read, taken: Taken, *, shared: bool, now: datetime
) -> Iterator[tuple[ToldPlaybook, Written]]:
    """Do what follows from what a model found, and yield what became of it.

    scope: the user's; or with shared, the tenant's, in which playbooks of all users are counted and nothing else.
    """
    done: set[UUID] = set()
    for told in read.of(episode.turn_id).playbooks:
        playbook = _playbook(read, run, told)
        if (playbook is not None and playbook.subject_id is None) is not shared or (playbook and playbook.id in done):
            continue
        try:
            with transaction.atomic():
                if playbook is not None:
                    done.add(playbook.id)
                    told_of = _counted(scope, episode, told, playbook, taken, now=now)
                    yield from ((told, written) for written in list(told_of))
                    if not shared and not taken.refined and stands_here(scope, playbook.memory_id):
                        yield from ((told, one) for one in list(_refined(scope, read, told, playbook, now=now)))
                elif not told.ref and not taken.made:
                    yield told, _made(scope, read, told, now=now)
        except _REFUSALS as error:
            yield told, Written(verdict=Verdict.SKIPPED, why=type(error).__name__)


def _playbook(read: Read, run: Run, told: ToldPlaybook) -> Procedure | None:
    """Return the active playbook that something is about, as it is by now: named, or with the same trigger."""
    if not told.ref:
        known = sorted(known_playbooks(run), key=lambda one: (one.subject_id is None, str(one.memory_id)))
        return next((one for one in known if is_same_trigger(one.trigger, told.trigger)), None)
    memory = Memory.objects.filter(id=read.playbooks[told.ref]).first()
    while memory is not None and memory.status == Status.SUPERSEDED and memory.superseded_by_id is not None:
        memory = Memory.objects.filter(id=memory.superseded_by_id).first()
    return Procedure.objects.filter(memory_id=memory.id).first() if memory is not None else None


def _counted(
    scope: Scope, episode: Episode, told: ToldPlaybook, playbook: Procedure, taken: Taken, *, now: datetime
) -> Iterator[Written]:
    """Count an outcome, unless rules did, or read the turn otherwise; of new steps it is none of the known ones."""
    by_rules = outcome_of(episode.content)
    other_steps = not told.ref and not any(is_known(step, playbook.steps) for step in told.steps)
    if told.worked is None or taken.counted or other_steps:
        return
    if by_rules is not None and by_rules.success is not told.worked:
        return
    note_outcome(scope, playbook.memory_id, success=told.worked, now=now)
    yield Written(verdict=Verdict.OUTCOME, why="success" if told.worked else "failure", memory_id=playbook.memory_id)


def _refined(
    scope: Scope, read: Read, told: ToldPlaybook, playbook: Procedure, *, now: datetime
) -> Iterator[Written]:
    """Write the next revision, where the steps are others, told by who is trusted as much as the known ones."""
    known = playbook.steps
    if not told.steps or (len(told.steps) == len(known) and all(is_known(step, known) for step in told.steps)):
        return
    memory = Memory.objects.get(id=playbook.memory_id)
    said_by = [read.turns[line] for line in (told.at, *told.tellers)]
    trusts = Turn.objects.filter(id__in=said_by).values_list("trust", flat=True)
    trust = least([*trusts], default=Trust.TOOL)
    if trust.rank < min(Trust(memory.trust).rank, Trust.USER.rank):
        yield Written(verdict=Verdict.STALE, why="less_trusted", met_id=memory.id)
        return
    refined, _ = refine(
        scope, memory.id, trigger=None, steps=told.steps, spans=_spans(read, told), method=read.method, now=now
    )
    Memory.objects.filter(id=refined.id).update(trust=least([memory.trust, trust], default=trust))
    yield Written(verdict=Verdict.REFINED, why=BETTER, memory_id=refined.id, met_id=memory.id)


def _made(scope: Scope, read: Read, told: ToldPlaybook, *, now: datetime) -> Written:
    """Learn a new playbook; one whose words tell its reader what to do waits for a person."""
    new = NewMemory(
        text=playbook_text(told.trigger, told.steps)[:MEMORY_TEXT_MAX_LENGTH],
        memory_type=names.PROCEDURAL,
        trigger=told.trigger,
        steps=told.steps,
        spans=_spans(read, told),
        method=read.method,
        importance=IMPORTANCE,
        confidence=MODEL_ALONE,
    )
    memory = learn(scope, new, now=now).memory
    if memory.status == Status.QUARANTINED:
        return Written(
            verdict=Verdict.QUARANTINED, why=INSTRUCTION, memory_id=memory.id, review=ReviewKind.INSTRUCTION
        )
    if told.worked:
        note_outcome(scope, memory.id, success=True, now=now)
    return Written(verdict=Verdict.ADDED, why=WORKED if told.worked else OWN, memory_id=memory.id)


def _spans(read: Read, told: ToldPlaybook) -> tuple[Span, ...]:
    """Return the user's words, and the turns that told the rest."""
    words = Span(turn_id=read.turns[told.at], start=told.start, end=told.end)
    return (words, *(Span(turn_id=read.turns[line]) for line in told.lines if line != told.at))
