"""Apply: everything that follows from one episode, in one transaction with the mark that it was read."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from consolidation.models import Decision, ReviewItem, Run
from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import Candidate, Extracted
from consolidation.rules.outcomes import outcome_of
from consolidation.services.in_play import Tried, tried
from consolidation.services.near_of import NearFacts
from consolidation.services.outcomes import RULE, note_tried
from consolidation.services.runs import note_counts, scope_of
from consolidation.services.scopes import tenant_scope
from consolidation.services.select import READ, Episode
from consolidation.services.world import merged_for, note_world
from consolidation.services.write import Written, write
from memories.models import Memory
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


def apply(
    run: Run, episode: Episode, extracted: Extracted, *, near: NearFacts | None = None, now: datetime
) -> "Counter[str]":
    """Write what an episode yields; return how many decisions of which verdict. Empty: another run has read it.

    near: what is known that is near to a candidate by meaning.
    A worker that dies leaves either all of it or nothing, and the episode unread.
    """
    if extracted.suspect or outcome_of(episode.content) is None:
        with open_scope(scope_of(run)):
            if not _is_unread(episode):
                return Counter()
            decisions = _facts(run, episode, extracted, near or {}, now=now)
            return _noted(run, episode, extracted, decisions, now=now)
    with open_scope(tenant_scope(run.tenant_id, run.compartments)):  # in which a shared playbook is counted
        with open_scope(scope_of(run)):
            if not _is_unread(episode):
                return Counter()
            decisions = _facts(run, episode, extracted, near or {}, now=now)
            attempt = tried(run, episode)
            if attempt is not None and not attempt.shared:
                decisions += _outcome(scope_of(run), run, episode, attempt, now=now)
        if attempt is not None and attempt.shared:
            decisions += _outcome(tenant_scope(run.tenant_id, run.compartments), run, episode, attempt, now=now)
        with open_scope(scope_of(run)):
            return _noted(run, episode, extracted, decisions, now=now)


def _noted(
    run: Run, episode: Episode, extracted: Extracted, decisions: list[Decision], *, now: datetime
) -> "Counter[str]":
    """Store the decisions on an episode and mark it as read; return how many of which verdict."""
    if not decisions:
        decisions = [_decision(run, episode, _nothing(episode, extracted), now=now)]
    elif episode.quarantined:
        _ask(run, episode, _nothing(episode, extracted), now=now)
    Decision.objects.bulk_create(decisions)
    Memory.objects.filter(id=episode.memory_id).update(consolidated_by=run.id)
    verdicts = Counter(str(decision.verdict) for decision in decisions)
    note_counts(run, verdicts, episodes=1)
    return verdicts


def apply_nothing(run: Run, episodes: Sequence[tuple[Episode, str]], *, now: datetime) -> None:
    """Mark episodes as read that yield nothing, with why, in one transaction: most of what is said does."""
    why = {episode.memory_id: (episode, code) for episode, code in episodes}
    with open_scope(scope_of(run)):
        rows = Memory.objects.select_for_update(no_key=True, of=("self",))
        unread = rows.filter(id__in=list(why), status__in=READ, consolidated_by__isnull=True).order_by("id")
        ids = list(unread.values_list("id", flat=True))
        if not ids:
            return
        Decision.objects.bulk_create(
            _decision(run, why[pk][0], Written(verdict=Verdict.NOTHING, why=why[pk][1] or "no_rule"), now=now)
            for pk in ids
        )
        Memory.objects.filter(id__in=ids).update(consolidated_by=run.id)
        note_counts(run, Counter({str(Verdict.NOTHING): len(ids)}), episodes=len(ids))


def _is_unread(episode: Episode) -> bool:
    """Lock the episode until the scope closes, and say whether no run has read it."""
    rows = Memory.objects.select_for_update(no_key=True, of=("self",))
    unread = rows.filter(id=episode.memory_id, status__in=READ, consolidated_by__isnull=True)
    return unread.first() is not None


def _facts(run: Run, episode: Episode, extracted: Extracted, near: NearFacts, *, now: datetime) -> list[Decision]:
    scope, decisions = scope_of(run), []
    for candidate in extracted.candidates:
        close = near.get(candidate, ())
        written = write(scope, run, episode, candidate, near=close, suspect=extracted.suspect, now=now)
        united = note_world(scope, run, episode, candidate, written, now=now)
        decisions.append(decision_of(run, episode, candidate, written, now=now))
        for met_id in written.also:
            gone = Written(verdict=written.verdict, why=written.why, memory_id=written.memory_id, met_id=met_id)
            decisions.append(decision_of(run, episode, candidate, gone, now=now))
        if united:
            decisions.append(decision_of(run, episode, candidate, merged_for(written), now=now))
    return decisions


def decision_of(run: Run, episode: Episode, candidate: Candidate, written: Written, *, now: datetime) -> Decision:
    """Return the decision on a candidate, to note; a review is opened where it asks for one. The scope is open."""
    return _decision(
        run,
        episode,
        written,
        now=now,
        rule=candidate.rule,
        start=candidate.start,
        end=candidate.end,
        confidence=candidate.confidence,
    )


def _outcome(scope: Scope, run: Run, episode: Episode, attempt: Tried, *, now: datetime) -> list[Decision]:
    written = note_tried(scope, episode, attempt, now=now)
    return [_decision(run, episode, written, now=now, rule=RULE)] if written is not None else []


def _nothing(episode: Episode, extracted: Extracted) -> Written:
    """Return that nothing follows; of what instructs somebody is asked, with the episode where that waits itself."""
    return Written(
        verdict=Verdict.NOTHING,
        why=extracted.why or "no_rule",
        memory_id=episode.memory_id if episode.quarantined else None,
        review=ReviewKind.INSTRUCTION if extracted.suspect or episode.quarantined else None,
    )


def _decision(
    run: Run,
    episode: Episode,
    written: Written,
    *,
    now: datetime,
    rule: str = "",
    start: int | None = None,
    end: int | None = None,
    confidence: float | None = None,
) -> Decision:
    """Return the decision to note; a review is opened where it asks for one."""
    if written.review is not None:
        _ask(run, episode, written, now=now)
    return Decision(
        tenant_id=run.tenant_id,
        subject_id=run.subject_id,
        compartments=run.compartments,
        run=run,
        episode_id=episode.memory_id,
        turn_id=episode.turn_id,
        verdict=written.verdict,
        why=written.why,
        rule=rule,
        start=start,
        end=end,
        confidence=confidence,
        memory_id=written.memory_id,
        met_id=written.met_id,
        decided_at=now,
    )


def _ask(run: Run, episode: Episode, written: Written, *, now: datetime) -> None:
    if written.review is None:
        return
    item = ReviewItem.objects.create(
        tenant_id=run.tenant_id,
        subject_id=run.subject_id,
        compartments=run.compartments,
        run=run,
        kind=written.review,
        memory_id=written.memory_id,
        met_id=written.met_id,
        turn_id=episode.turn_id,
        opened_at=now,
    )
    ids = [item.id, *([written.memory_id] if written.memory_id else []), episode.turn_id]
    note_event(scope_of(run), "review.opened", object_ids=ids, data={"kind": str(written.review)}, now=now)
