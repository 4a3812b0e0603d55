"""Apply again: what a second reading finds in an episode, in one transaction with its decisions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.models.run import Reason
from consolidation.rules.candidate import Candidate
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Ruling
from consolidation.services.apply_told import playbook_decisions, stated_decisions
from consolidation.services.ask_model import Read
from consolidation.services.decisions_of import decisions_of
from consolidation.services.held import held_for, nearby
from consolidation.services.near import Near
from consolidation.services.near_of import NearFacts
from consolidation.services.runs import note_counts, scope_of
from consolidation.services.scopes import tenant_scope
from consolidation.services.select import Episode
from consolidation.services.world import note_world
from consolidation.services.write import Written, write
from memories.instructions import instructs
from memories.models import Memory, Source, Turn
from memories.models.memory import Status
from memories.services.add_sources import add_sources
from memories.services.new_memory import NewMemory, Span
from memories.trust import Trust, least
from tenants.services.open_scope import open_scope

_MADE = {Verdict.ADDED, Verdict.REFINED, Verdict.SUPERSEDED, Verdict.DENIED, Verdict.PENDING, Verdict.PAST}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A candidate of a second reading. with_turn: the user's other turn that it rests on."""

    candidate: Candidate
    with_turn: UUID | None = None


def apply_again(
    run: Run,
    episode: Episode,
    found: Sequence[Found],
    *,
    read: Read | None = None,
    near: NearFacts | None = None,
    now: datetime,
) -> int:
    """Write what is new of it, and return how many decisions were made. None: this night has read it already.

    What a memory says that rests on this very turn is not said once more by being read once more, and an outcome
    that was counted is not counted again. read: what a model found besides facts.
    """
    told = read if read is not None and not episode.quarantined and not instructs(episode.content) else Read()
    with open_scope(tenant_scope(run.tenant_id, run.compartments)):  # in which a shared playbook is counted
        with open_scope(scope_of(run)):
            decisions = _facts_again(run, episode, found, told, near or {}, now=now)
        if decisions is None:
            return 0
        decisions += playbook_decisions(run, episode, told, decisions, now=now)
        with open_scope(scope_of(run)):
            Decision.objects.bulk_create(decisions)
            if decisions:
                note_counts(run, Counter(str(decision.verdict) for decision in decisions), episodes=1)
    return len(decisions)


def _facts_again(
    run: Run, episode: Episode, found: Sequence[Found], told: Read, near: NearFacts, *, now: datetime
) -> list[Decision] | None:
    """Write facts, entities and relations; None, where the episode is gone or was read in this night."""
    scope = scope_of(run)
    rows = Memory.objects.select_for_update(no_key=True, of=("self",))
    if rows.filter(id=episode.memory_id, status=Status.ACTIVE).first() is None:
        return None
    others = Decision.objects.filter(turn_id=episode.turn_id, run__reason=Reason.NIGHT).exclude(run_id=run.id)
    if others.exists():
        return None
    decisions: list[Decision] = []
    for one in found:
        close = near.get(one.candidate, ())
        if _is_known(run, episode, one.candidate, close):
            continue
        written = write(
            scope, run, _trusted(episode, one.with_turn), one.candidate, near=close, opinions=told.opinions, now=now
        )
        united = note_world(scope, run, episode, one.candidate, written, now=now)
        if one.with_turn is not None:
            _rest_on(written, one.with_turn, one.candidate.rule, now=now)
        decisions += decisions_of(run, episode, one.candidate, written, united=united, now=now)
    return decisions + stated_decisions(run, episode, told, [one.candidate for one in found], now=now)


def _is_known(run: Run, episode: Episode, candidate: Candidate, near: Sequence[Near]) -> bool:
    held = held_for(run, candidate, who=episode.who, turn_id=episode.turn_id)
    judged = judge(candidate, held, near=nearby(run, near, who=episode.who), said_at=episode.occurred_at)
    if judged.met is None or judged.ruling not in {Ruling.REPEAT, Ruling.REFINE, Ruling.DROP}:
        return False
    return Source.objects.filter(memory_id=judged.met.id, turn_id=episode.turn_id).exists()


def _trusted(episode: Episode, with_turn: UUID | None) -> Episode:
    """Return an episode as it is trusted together with the other turn: as the less trusted of them."""
    trusts = Turn.objects.filter(id=with_turn).values_list("trust", flat=True) if with_turn is not None else ()
    return replace(episode, trust=least([episode.trust, *trusts], default=episode.trust))


def _rest_on(written: Written, turn_id: UUID, method: str, *, now: datetime) -> None:
    """Let a memory rest on the user's other turn as well."""
    memory = Memory.objects.filter(id=written.memory_id).first() if written.memory_id is not None else None
    if memory is not None:
        new = NewMemory(text=memory.text, spans=(Span(turn_id=turn_id),), method=method)
        add_sources(memory, new, superseded=None, now=now)
        if written.verdict in _MADE:
            other = Turn.objects.filter(id=turn_id).values_list("trust", flat=True)
            trust = least([memory.trust, *other], default=Trust(memory.trust))
            Memory.objects.filter(id=memory.id).update(trust=trust)
