"""Erase: everything of one subject goes, from the record and from every engine, through the same outbox.

The request raises a barrier: from its commit on, row-level security shows nothing of the subject to anybody. The
worker then takes the engine's credentials back, deletes the rows, and looks until the engine counts none.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from backends.search.base import SearchEngine
from memories.models import Entity, Memory, OutboxEntry, Session, Turn
from memories.services.erasure_ledger import Erased, note_erasure
from memories.services.wake import wake
from tenants.models import EngineCredential, Job, Subject
from tenants.models.job import State
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.create_tenant import system_scope
from tenants.services.jobs_left import jobs_left
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_eraser, open_operator, open_scope

log = logging.getLogger(__name__)

KIND = "subject.erase"


def erase(scope: Scope, subject_id: UUID, *, now: datetime) -> Job:
    """Begin to erase a subject, and return the job to follow; the user_id is free for another person at once.

    Raises ScopeDenied, when the key has not the ability compliance, or is a user's own; Subject.DoesNotExist, when
    the tenant has no such subject.
    """
    scope.require(Ability.COMPLIANCE)
    if scope.subject_id is not None:
        raise ScopeDenied("erasing needs a key of the tenant, not of one user")
    with open_scope(scope):
        subject = Subject.objects.get(id=subject_id)
        job = Job.objects.create(
            tenant_id=scope.tenant_id, kind=KIND, object_id=subject.id, created_at=now, updated_at=now
        )
        note_event(scope, "subject.erasure_begun", object_ids=[subject.id, job.id], subject=subject, now=now)
        with connection.cursor() as cursor:
            cursor.execute("SELECT tenants_begin_erasure(%s, %s)", [subject.id, now])
            if cursor.fetchone() != (True,):
                raise Subject.DoesNotExist
        transaction.on_commit(lambda: wake("memories.erase"))
    return job


def erase_step(job_id: UUID, *, engine: SearchEngine, now: datetime) -> Job:
    """Take a job as far as it goes now, and return it; called again until it is done.

    1. Write it into the ledger, which a restore of the database leaves alone. 2. Revoke the engine's credentials of
    the subject. 3. Delete its rows; triggers note each document's removal. 4. When sync has brought them, count; at
    zero drop what removed documents left behind, and finish.
    Raises the engine's Unavailable, Rejected or Refused, and the ledger's OSError; the job then stays as it is.
    """
    with open_operator():
        job = Job.objects.get(id=job_id)
        subject_id = job.object_id
        if job.state == State.DONE or subject_id is None:
            return job
        held = list(EngineCredential.objects.filter(subject_id=subject_id, tenant_id=job.tenant_id))
        there = Subject.objects.filter(id=subject_id, tenant_id=job.tenant_id).exists()
    if there:
        erased = Erased(tenant_id=job.tenant_id, subject_id=subject_id)
        note_erasure(Path(settings.ERASURES_FILE), erased, now=now)
    engine.revoke([credential.engine_id for credential in held if credential.engine == engine.name])
    _forget_requests(job.tenant_id, subject_id)
    _forget_recalls(job.tenant_id, subject_id)
    with open_eraser():
        Subject.objects.filter(id=subject_id, tenant_id=job.tenant_id).delete()
    with open_operator():
        record = sum(rows.objects.filter(subject_id=subject_id).count() for rows in (Session, Turn, Memory, Entity))
        waiting = OutboxEntry.objects.filter(tenant_id=job.tenant_id, subject_id=subject_id).count()
    left = engine.count_of_subject(job.tenant_id, subject_id)
    if record == waiting == left == 0:
        engine.expunge()
        left = engine.count_of_subject(job.tenant_id, subject_id)
    return _noted(job, {"record": record, engine.name: left, "waiting": waiting}, now=now)


def _forget_requests(tenant_id: UUID, subject_id: UUID) -> None:
    """Remove idempotency keys about the subject, its rows or keys: their text is the caller's, and may name it."""
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(
            """
            DELETE FROM memories_idempotencykey WHERE tenant_id = %(tenant)s AND response ?| (
                SELECT array_agg(id::text) FROM (
                    SELECT id FROM memories_turn WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                    UNION ALL
                    SELECT id FROM memories_memory WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                    UNION ALL
                    SELECT id FROM tenants_apikey WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                    UNION ALL
                    SELECT %(subject)s::uuid
                ) AS own)
            """,
            {"tenant": tenant_id, "subject": subject_id},
        )


def _forget_recalls(tenant_id: UUID, subject_id: UUID) -> None:
    """Remove recalls and golden questions over all users that name a row of the subject: they may be about it."""
    with open_operator(), connection.cursor() as cursor:
        for table, ids in (("memories_recalllog", "pool_ids"), ("memories_goldenquestion", "expected_ids")):
            cursor.execute(
                f"""
                DELETE FROM {table} WHERE tenant_id = %(tenant)s AND subject_id IS NULL AND {ids} && (
                    SELECT array_agg(id) FROM (
                        SELECT id FROM memories_memory WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                        UNION ALL
                        SELECT id FROM memories_entity WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                        UNION ALL
                        SELECT id FROM memories_relation WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s
                    ) AS own)
                """,  # noqa: S608 - names of ours
                {"tenant": tenant_id, "subject": subject_id},
            )


def note_trouble(job_id: UUID, *, code: str, now: datetime) -> None:
    """Say in a job why it does not get on; code: the error's name, without personal text."""
    with open_operator():
        Job.objects.filter(id=job_id).update(
            state=State.RUNNING, message=f"waits and is tried again: {code}", updated_at=now
        )


def open_jobs() -> list[UUID]:
    """Return the erasures that are not done, oldest first."""
    return jobs_left(KIND)


def _noted(job: Job, counts: Mapping[str, int], *, now: datetime) -> Job:
    """Store what is left, by store; the job is done when that is nothing."""
    left = max(counts.values())
    job.state = State.RUNNING if left else State.DONE
    job.total = max(job.total, left)
    job.done = job.total - left
    job.result, job.message, job.updated_at = dict(counts), "", now
    with open_operator():
        changed = (
            Job.objects.filter(id=job.id)
            .exclude(state=State.DONE)
            .update(
                state=job.state,
                total=job.total,
                done=job.done,
                result=job.result,
                message=job.message,
                updated_at=now,
            )
        )
        if changed and job.state == State.DONE:
            scope = system_scope(job.tenant_id)
            note_event(scope, "subject.erased", object_ids=[job.id], data=counts, now=now)
    return job
