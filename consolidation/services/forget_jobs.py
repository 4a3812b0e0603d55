"""Jobs of forgetting: asked for by somebody, or begun in the quiet hour of each tenant."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from backends.llms.base import LLM
from consolidation.services.begin_job import begin_job
from consolidation.services.forget import FIRST, forget
from tenants.models import Job, Subject
from tenants.models.job import State
from tenants.scope import Ability, Scope
from tenants.services.create_tenant import system_scope
from tenants.services.jobs_left import jobs_left
from tenants.services.live_tenants import live_tenants
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.policy_of import policy_of

KIND = "forgetting"
TASK = "consolidation.forget"
AFTER = "after"
"""Where a job's result says after which user it goes on."""


def ask_to_forget(scope: Scope, *, user_id: str | None, now: datetime) -> Job:
    """Ask for what preview shows, and return the job to follow.

    Raises ScopeDenied, when the key has not the ability consolidate, or is a user's own; Subject.DoesNotExist.
    """
    scope.require(Ability.CONSOLIDATE)
    scope.require_whole_tenant("forgetting is")
    with open_scope(scope):
        subject = Subject.objects.get(tenant_id=scope.tenant_id, external_id=user_id) if user_id is not None else None
        return _begun(scope, subject, now=now)


def begin_nightly(*, now: datetime) -> list[UUID]:
    """Begin a job for every tenant whose quiet hour has come since its last one; return the jobs."""
    begun = []
    for tenant_id in live_tenants():
        scope = system_scope(tenant_id)
        with open_scope(scope):
            since = last_quiet_hour(int(policy_of().number("forgetting.hour")), now=now)
            if not Job.objects.filter(kind=KIND, object_id__isnull=True, created_at__gte=since).exists():
                begun.append(_begun(scope, None, now=now).id)
    return begun


def last_quiet_hour(hour: int, *, now: datetime) -> datetime:
    """Return the latest moment that a quiet hour began, in UTC, as now is."""
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)


def open_forgetting() -> list[UUID]:
    """Return the jobs that are not done, oldest first."""
    return jobs_left(KIND)


def do_forgetting(
    job_id: UUID, *, clock: Callable[[], datetime], llm: LLM | None = None, until: float | None = None
) -> bool:
    """Do one job, and say whether it is done; what is left is found anew by the next call."""
    with open_operator():
        job = Job.objects.get(id=job_id)
    after = UUID(job.result.get(AFTER, str(FIRST)))
    done = forget(job.tenant_id, job.object_id, clock=clock, llm=llm, after=after, until=until)
    result: dict[str, int | str] = {
        name: int(job.result.get(name, 0)) + count
        for name, count in (
            ("summarised", done.summarised),
            ("archived", done.archived),
            ("deleted", done.deleted),
        )
    }
    total = sum(int(count) for count in result.values())
    if done.left:
        result[AFTER] = str(done.after)
    with open_operator():
        Job.objects.filter(id=job.id).exclude(state=State.DONE).update(
            state=State.RUNNING if done.left else State.DONE,
            done=total,
            total=total,
            result=result,
            updated_at=clock(),
        )
    return not done.left


def _begun(scope: Scope, subject: Subject | None, *, now: datetime) -> Job:
    return begin_job(scope, subject, kind=KIND, event="forgetting.begun", task=TASK, now=now)
