"""Jobs: consolidations that somebody asked for, done by the worker."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from backends.llms.base import LLM
from consolidation.services.begin_job import begin_job
from consolidation.services.due import asked
from consolidation.services.work import Worked, work
from tenants.models import Job, Subject
from tenants.models.job import State
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.jobs_left import jobs_left
from tenants.services.open_scope import open_operator, open_scope

KIND = "consolidation"
TASK = "consolidation.run"


def ask(scope: Scope, *, user_id: str | None, now: datetime) -> Job:
    """Ask for everything that waits to be consolidated, of one user where named; return the job to follow.

    Raises ScopeDenied, when the key has not the ability consolidate, or is a user's own; Subject.DoesNotExist.
    """
    scope.require(Ability.CONSOLIDATE)
    if scope.subject_id is not None:
        raise ScopeDenied("consolidating needs a key of the tenant, not of one user")
    with open_scope(scope):
        subject = Subject.objects.get(tenant_id=scope.tenant_id, external_id=user_id) if user_id is not None else None
        return begin_job(scope, subject, kind=KIND, event="consolidation.asked", task=TASK, now=now)


def open_asked() -> list[UUID]:
    """Return the jobs that are not done, oldest first."""
    return jobs_left(KIND)


def do_asked(
    job_id: UUID, *, clock: Callable[[], datetime], llm: LLM | None = None, until: float | None = None
) -> None:
    """Do one job; what another worker has at the moment leaves it open, to be looked at again."""
    with open_operator():
        job = Job.objects.get(id=job_id)
    wanted = asked(job.tenant_id, job.object_id)
    total = job.total or sum(due.episodes for due in wanted)

    def told(worked: Worked) -> None:
        _note(job, worked, State.RUNNING, total=total, now=clock())

    worked = work(wanted, clock=clock, llm=llm, until=until, told=told)
    waits = worked.busy or worked.failed or worked.left
    _note(job, worked, State.RUNNING if waits else State.DONE, total=total, now=clock())


def _note(job: Job, worked: Worked, state: State, *, total: int, now: datetime) -> None:
    """Store how far a job has come; counts of earlier attempts stay in it."""
    earlier = dict(job.result)
    result = {
        verdict: earlier.get(verdict, 0) + worked.counts.get(verdict, 0)
        for verdict in sorted(earlier.keys() | worked.counts.keys())
    }
    message = "waits for another worker and is tried again" if worked.busy or worked.failed else ""
    with open_operator():
        Job.objects.filter(id=job.id).exclude(state=State.DONE).update(
            state=state, total=total, done=min(total, job.done + worked.episodes), result=result, message=message,
            updated_at=now,
        )  # fmt: skip
