"""Outcomes: a playbook is counted, refined or made from what a user says of what was tried."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from backends.search import names
from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import INSTRUCTION
from consolidation.rules.steps import overlap, words_of
from consolidation.services.in_play import Tried
from consolidation.services.select import Episode
from consolidation.services.write import Written
from memories.models import Memory, Procedure
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH, Status
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.find_memory import MemoryNotOpen
from memories.services.learn import learn
from memories.services.new_memory import NewMemory, Span
from memories.services.playbooks import note_outcome, playbook_text
from memories.services.references import UnknownReference
from memories.services.refine import refine
from tenants.scope import Scope

RULE = "outcome"
WORKED, OWN, BETTER, INSTEAD = "worked", "own", "told_better", "told_instead"
"""Why a playbook was made or refined: it worked; a user told it as the own one; better steps; what worked instead."""
IMPORTANCE = 0.6
SAME_STEP = 0.6
"""Which part of a step's words makes it the one that was spoken of. Set by us."""
_REFUSALS = (SlotTaken, TextTaken, MemoryNotOpen, UnknownReference)


def note_tried(scope: Scope, episode: Episode, tried: Tried, *, now: datetime) -> Written | None:
    """Do what follows from something tried: count, refine, or make a playbook. The scope is open.

    scope: the user's, or the tenant's for a playbook that all share: that is counted, and one user's words change
    nothing else of it.
    """
    try:
        with transaction.atomic():
            if tried.playbook is not None:
                return _counted(scope, episode, tried, tried.playbook, now=now)
            return _made(scope, episode, tried, now=now) if tried.outcome.success and tried.steps else None
    except _REFUSALS as error:
        return Written(verdict=Verdict.SKIPPED, why=type(error).__name__)


def _counted(scope: Scope, episode: Episode, tried: Tried, playbook: Procedure, *, now: datetime) -> Written:
    outcome, memory_id = tried.outcome, playbook.memory_id
    instead = words_of(outcome.instead)
    own_step = any(overlap(words_of(step), instead) >= SAME_STEP for step in playbook.steps)
    success = outcome.success and (not outcome.instead or own_step)
    note_outcome(scope, memory_id, success=success, now=now)
    if outcome.instead and not own_step and not tried.shared and stands_here(scope, memory_id):
        steps = _refined(playbook, episode.content, outcome.instead)
        span = Span(turn_id=episode.turn_id)
        refined, _ = refine(scope, memory_id, trigger=None, steps=steps, spans=(span,), method=RULE, now=now)
        return Written(verdict=Verdict.REFINED, why=INSTEAD, memory_id=refined.id, met_id=memory_id)
    return Written(verdict=Verdict.OUTCOME, why="success" if success else "failure", memory_id=memory_id)


def stands_here(scope: Scope, memory_id: UUID) -> bool:
    """Say whether a playbook stands in just the scope's compartments: what is said in others is not told in it."""
    return Memory.objects.filter(id=memory_id, compartments=list(scope.compartments)).exists()


def _refined(playbook: Procedure, told: str, instead: str) -> tuple[str, ...]:
    """Return the steps without those that a user said were in vain, and with what worked."""
    said = words_of(told.replace(instead, ""))
    kept = [step for step in playbook.steps if _share(words_of(step), said) < SAME_STEP]
    step = instead[:1].upper() + instead[1:]
    return (*(kept if len(kept) < len(playbook.steps) else playbook.steps), step)


def _share(wanted: frozenset[str], said: frozenset[str]) -> float:
    return len(wanted & said) / len(wanted) if wanted else 0.0


def _made(scope: Scope, episode: Episode, tried: Tried, *, now: datetime) -> Written:
    """Learn a playbook from a complaint and the steps that mended it, and count that it worked."""
    turns = (tried.complaint, tried.answer, episode.turn_id)
    new = NewMemory(
        text=playbook_text(tried.trigger, tried.steps)[:MEMORY_TEXT_MAX_LENGTH],
        memory_type=names.PROCEDURAL,
        trigger=tried.trigger,
        steps=tried.steps,
        spans=tuple(Span(turn_id=turn_id) for turn_id in turns if turn_id is not None),
        method=RULE,
        importance=IMPORTANCE,
    )
    memory = learn(scope, new, now=now).memory
    if memory.status == Status.QUARANTINED:  # the answer it is made of tells its reader what to do
        return Written(
            verdict=Verdict.QUARANTINED,
            why=INSTRUCTION,
            memory_id=memory.id,
            review=ReviewKind.INSTRUCTION,
        )
    note_outcome(scope, memory.id, success=True, now=now)
    return Written(verdict=Verdict.ADDED, why=WORKED, memory_id=memory.id)
