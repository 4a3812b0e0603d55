"""Apply told: what a model found in an episode besides facts, as decisions, in the transaction of the episode."""

from collections.abc import Sequence
from datetime import datetime

from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.rules.candidate import Candidate
from consolidation.rules.ground import MODEL_ALONE
from consolidation.rules.ground_facts import BOTH
from consolidation.services.ask_model import Read
from consolidation.services.decide import decide
from consolidation.services.note_playbooks import Taken, note_playbooks, taken_of
from consolidation.services.note_stated import note_stated
from consolidation.services.runs import scope_of
from consolidation.services.scopes import tenant_scope
from consolidation.services.select import Episode
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


def stated_decisions(
    run: Run, episode: Episode, read: Read, candidates: Sequence[Candidate], *, now: datetime
) -> list[Decision]:
    """Write entities and relations, and return the decisions to note. The run's scope is open."""
    decisions = []
    for one in note_stated(scope_of(run), run, episode, read.of(episode.turn_id), candidates, now=now):
        told = one.told
        decisions.append(
            decide(
                run,
                episode,
                one.written,
                now=now,
                rule=read.method,
                start=told.start if told is not None else None,
                end=told.end if told is not None else None,
                confidence=MODEL_ALONE,
                relation_id=one.relation.id if one.relation is not None else None,
            )
        )
    return decisions


def playbook_decisions(
    run: Run, episode: Episode, read: Read, before: Sequence[Decision], *, now: datetime
) -> list[Decision]:
    """Learn, count and refine playbooks, and return the decisions to note. The tenant's scope is open, no run's.

    before: the decisions on the episode so far: an outcome that rules told is not counted again, and is surer where
    the model reads it alike.
    """
    told = read.of(episode.turn_id).playbooks
    if not told:
        return []
    scope, everybody = scope_of(run), tenant_scope(run.tenant_id, run.compartments)
    with open_scope(scope):
        taken = taken_of(episode.turn_id, before)
        decisions = _noted(scope, run, episode, read, taken, shared=False, now=now)
    for one in before:
        if one.verdict == Verdict.OUTCOME and any(found.worked is (one.why == "success") for found in told):
            one.confidence = BOTH
    return decisions + _noted(everybody, run, episode, read, taken, shared=True, now=now)


def _noted(
    scope: Scope, run: Run, episode: Episode, read: Read, taken: Taken, *, shared: bool, now: datetime
) -> list[Decision]:
    return [
        decide(
            run,
            episode,
            written,
            now=now,
            rule=read.method,
            start=told.start,
            end=told.end,
            confidence=MODEL_ALONE,
        )
        for told, written in note_playbooks(scope, run, episode, read, taken, shared=shared, now=now)
    ]
