"""Apply: everything that follows from one episode, in one transaction with the mark that it was read."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.models.review_item import ReviewKind
from consolidation.rules.candidate import Extracted
from consolidation.rules.outcomes import outcome_of
from consolidation.services.apply_told import playbook_decisions, stated_decisions
from consolidation.services.ask_model import Read
from consolidation.services.decide import ask_about_episode, decide
from consolidation.services.decisions_of import decisions_of
from consolidation.services.in_play import Tried, tried
from consolidation.services.near_of import NearFacts
from consolidation.services.one_at_a_time import one_at_a_time
from consolidation.services.outcomes import RULE, note_tried
from consolidation.services.runs import note_counts, scope_of
from consolidation.services.scopes import tenant_scope
from consolidation.services.select import READ, Episode
from consolidation.services.world import note_world
from consolidation.services.write import Written, write
from memories.models import Memory
from tenants.scope import Scope
from tenants.services.open_scope import open_scope


def apply(
    run: Run,
    episode: Episode,
    extracted: Extracted,
    *,
    read: Read | None = None,
    near: NearFacts | None = None,
    now: datetime,
) -> "Counter[str]":
    """Write what an episode yields; return how many decisions of which verdict. Empty: another run has read it.

    read: what a model found besides facts, and said of them; of what instructs it is not heard. near: what is known
    that is near to a candidate by meaning.
    A worker that dies leaves either all of it or nothing, and the episode unread.
    """
    suspect = extracted.suspect or episode.quarantined
    told = Read() if read is None or suspect else read
    tells_outcome = not extracted.suspect and outcome_of(episode.content) is not None
    if not tells_outcome and not told.of(episode.turn_id).playbooks:
        with open_scope(scope_of(run)):
            one_at_a_time(run.subject_id)
            if not _is_unread(episode):
                return Counter()
            decisions = _facts(run, episode, extracted, told, near or {}, now=now)
            return _noted(run, episode, extracted, decisions, now=now)
    shared = tenant_scope(run.tenant_id, run.compartments)
    with open_scope(shared):  # in which a shared playbook is counted
        with open_scope(scope_of(run)):
            one_at_a_time(run.subject_id)
            if not _is_unread(episode):
                return Counter()
            decisions = _facts(run, episode, extracted, told, near or {}, now=now)
            attempt = tried(run, episode) if tells_outcome else None
            if attempt is not None and not attempt.shared:
                decisions += _outcome(scope_of(run), run, episode, attempt, now=now)
        if attempt is not None and attempt.shared:
            decisions += _outcome(shared, run, episode, attempt, now=now)
        decisions += playbook_decisions(run, episode, told, decisions, now=now)
        with open_scope(scope_of(run)):
            return _noted(run, episode, extracted, decisions, now=now)


def _noted(
    run: Run, episode: Episode, extracted: Extracted, decisions: list[Decision], *, now: datetime
) -> "Counter[str]":
    """Store the decisions on an episode and mark it as read; return how many of which verdict."""
    if not decisions:
        decisions = [decide(run, episode, _nothing(episode, extracted), now=now)]
    elif episode.quarantined:
        ask_about_episode(run, episode, _nothing(episode, extracted), now=now)
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
            decide(run, why[pk][0], Written(verdict=Verdict.NOTHING, why=why[pk][1] or "no_rule"), now=now)
            for pk in ids
        )
        Memory.objects.filter(id__in=ids).update(consolidated_by=run.id)
        note_counts(run, Counter({str(Verdict.NOTHING): len(ids)}), episodes=len(ids))


def _is_unread(episode: Episode) -> bool:
    """Lock the episode until the scope closes, and say whether no run has read it."""
    rows = Memory.objects.select_for_update(no_key=True, of=("self",))
    unread = rows.filter(id=episode.memory_id, status__in=READ, consolidated_by__isnull=True)
    return unread.first() is not None


def _facts(
    run: Run, episode: Episode, extracted: Extracted, told: Read, near: NearFacts, *, now: datetime
) -> list[Decision]:
    scope = scope_of(run)
    decisions: list[Decision] = []
    for candidate in extracted.candidates:
        written = write(
            scope, run, episode, candidate, near=near.get(candidate, ()), opinions=told.opinions,
            suspect=extracted.suspect, now=now,
        )  # fmt: skip
        united = note_world(scope, run, episode, candidate, written, now=now)
        decisions += decisions_of(run, episode, candidate, written, united=united, now=now)
    return decisions + stated_decisions(run, episode, told, extracted.candidates, now=now)


def _outcome(scope: Scope, run: Run, episode: Episode, attempt: Tried, *, now: datetime) -> list[Decision]:
    written = note_tried(scope, episode, attempt, now=now)
    return [decide(run, episode, written, now=now, rule=RULE)] if written is not None else []


def _nothing(episode: Episode, extracted: Extracted) -> Written:
    """Return that nothing follows; of what instructs somebody is asked, with the episode where that waits itself."""
    return Written(
        verdict=Verdict.NOTHING,
        why=extracted.why or "no_rule",
        memory_id=episode.memory_id if episode.quarantined else None,
        review=ReviewKind.INSTRUCTION if extracted.suspect or episode.quarantined else None,
    )
