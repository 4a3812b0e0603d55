"""Begin a job of the worker's, for all users of a tenant or one."""

from datetime import datetime

from django.db import transaction

from memories.services.wake import wake
from tenants.models import Job, Subject
from tenants.scope import Scope
from tenants.services.note_event import note_event


def begin_job(scope: Scope, subject: Subject | None, *, kind: str, event: str, task: str, now: datetime) -> Job:
    """Store a job, note the event, and wake the task that does it once both are kept. The scope is open."""
    job = Job.objects.create(
        tenant_id=scope.tenant_id,
        kind=kind,
        object_id=subject.id if subject is not None else None,
        created_at=now,
        updated_at=now,
    )
    ids = [job.id, *([subject.id] if subject is not None else [])]
    note_event(scope, event, object_ids=ids, subject=subject, now=now)
    transaction.on_commit(lambda: wake(task))
    return job
