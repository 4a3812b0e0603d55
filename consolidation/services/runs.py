"""Runs: begun by lease, so that one user's episodes are read by one worker at a time, and ended."""

from collections import Counter
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from consolidation.models import Run
from consolidation.models.run import State
from consolidation.services.due import Due
from consolidation.services.scopes import sleeping_scope
from memories.services.cost import money
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

LEASE = timedelta(seconds=30)
LEASE_WITH_MODEL = timedelta(minutes=8)
"""Longer than a pass takes, a model's four answers included; whoever finds a run beyond it may take its place."""


class RunTaken(Exception):
    """Another worker is consolidating these episodes."""


class RunLost(Exception):
    """The run's lease ended and another one took its place."""


def begin_run(due: Due, *, extractor: str, now: datetime) -> Run:
    """Return a new run over what is due. Raises RunTaken; Subject.DoesNotExist, when the user was erased."""
    scope = sleeping_scope(due.tenant_id, due.subject_id, due.compartments)
    with open_scope(scope):
        Subject.objects.get(id=due.subject_id)
        same = Run.objects.filter(subject_id=due.subject_id, compartments=list(due.compartments), state=State.RUNNING)
        same.filter(lease_until__lte=now).update(state=State.FAILED, error="abandoned", finished_at=now)
        try:
            with transaction.atomic():
                return Run.objects.create(
                    tenant_id=due.tenant_id,
                    subject_id=due.subject_id,
                    compartments=list(due.compartments),
                    reason=due.reason,
                    extractor=extractor,
                    lease_until=now + lease_of(extractor),
                    started_at=now,
                )
        except IntegrityError as error:
            if "one_run_a_subject_at_a_time" not in str(error):
                raise
            raise RunTaken from error


def lease_of(extractor: str) -> timedelta:
    """Return how long a run may be silent before it counts as dead."""
    return LEASE_WITH_MODEL if "+" in extractor else LEASE


def scope_of(run: Run) -> Scope:
    """Return the scope that a run reads and writes in."""
    return sleeping_scope(run.tenant_id, run.subject_id, run.compartments)


def renew(run: Run, *, now: datetime) -> None:
    """Keep a run's lease; raise RunLost, when it is no longer its own."""
    with open_scope(scope_of(run)):
        if not Run.objects.filter(id=run.id, state=State.RUNNING).update(lease_until=now + lease_of(run.extractor)):
            raise RunLost


def note_counts(run: Run, verdicts: "Counter[str]", *, episodes: int) -> None:
    """Add to what a run has done. Its scope is open, and its row is locked by the write."""
    held = Run.objects.select_for_update(no_key=True).get(id=run.id)
    counts = Counter(held.counts) + verdicts
    Run.objects.filter(id=run.id).update(counts=dict(counts), episodes=held.episodes + episodes)


def end_run(run: Run, *, error: str = "", now: datetime) -> Run:
    """End a run, and note it in the event log; error: a code, where it failed."""
    scope = scope_of(run)
    with open_scope(scope):
        state = State.FAILED if error else State.DONE
        ended = Run.objects.filter(id=run.id, state=State.RUNNING).update(state=state, error=error, finished_at=now)
        run = Run.objects.get(id=run.id)
        if ended:
            data = {"reason": str(run.reason), "extractor": run.extractor, "episodes": run.episodes, **run.counts}
            if run.prompt_tokens:
                data |= {"cost": money(run.cost), "currency": run.currency}
            kind = "consolidation.failed" if error else "consolidation.done"
            subject = Subject.objects.filter(id=run.subject_id).first()
            note_event(scope, kind, object_ids=[run.id], subject=subject, data={**data, "code": error}, now=now)
    return run
