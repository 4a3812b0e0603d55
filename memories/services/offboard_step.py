"""Take an offboarding as far as it goes now; called again until it is done."""

import time
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from backends.errors import Unavailable
from backends.search.base import SearchEngine
from memories.models import OutboxEntry
from memories.services.offboarding_receipt import receipt_of
from memories.services.purge_rows import purge_rows
from tenants.models import EngineCredential, Event, Offboarding, Tenant
from tenants.models.offboarding import Step
from tenants.services.announce import group_of
from tenants.services.counters import counters
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_eraser, open_operator
from tenants.services.seal_events import seal_events
from tenants.services.spend import counters_of
from tenants.services.tally import TALLIES

STEP_S = 20.0
"""How long one call deletes at most."""
OUTBOX_WAIT = timedelta(hours=1)
"""After so long what is still in the outbox is left to the engine's purge."""


class NotEmpty(Exception):
    """Something of the tenant is there that should be gone."""


def open_offboardings() -> list[UUID]:
    """Return those that are not done, oldest first."""
    with open_operator():
        jobs = Offboarding.objects.exclude(step=Step.DONE).order_by("began_at")
        return list(jobs.values_list("id", flat=True))


def offboard_step(job_id: UUID, *, engine: SearchEngine, now: datetime) -> Offboarding:
    """Do what can be done of a job now, and return it.

    1. rows: the engine revokes its credentials; the rows go, and by the outbox each document.
    2. tenant: its last event is noted and its row goes, with whatever hangs from it.
    3. engine: what is left there is purged, counters too; when all count zero the receipt is signed.
    Raises the engine's Unavailable, Rejected or Refused; NoAuditKey; NotEmpty. The job then stays as it is.
    """
    with open_operator():
        job = Offboarding.objects.get(id=job_id)
    if job.due_at > now:
        return job
    if job.step == Step.ROWS and _rows_gone(job, engine, now=now):
        job = _move(job, Step.TENANT, now=now)
    if job.step == Step.TENANT:
        job = _drop_tenant(job, now=now)
    if job.step == Step.ENGINE:
        job = _finish(job, engine, now=now)
    return job


def note_wait(job_id: UUID, *, code: str, now: datetime) -> None:
    """Say in a job why it does not get on; code: the error's name."""
    with open_operator():
        Offboarding.objects.filter(id=job_id).exclude(step=Step.DONE).update(
            message=f"waits and is tried again: {code}", updated_at=now
        )


def _rows_gone(job: Offboarding, engine: SearchEngine, *, now: datetime) -> bool:
    _revoke_credentials(job, engine, now=now)
    if not purge_rows(job.tenant_id, until=time.monotonic() + STEP_S):
        return False
    with open_operator():
        waiting = OutboxEntry.objects.filter(tenant_id=job.tenant_id).count()
        message = f"{waiting} removals are on their way to the search engine" if waiting else ""
        Offboarding.objects.filter(id=job.id).update(message=message, updated_at=now)
    return not waiting or now - job.due_at > OUTBOX_WAIT


def _revoke_credentials(job: Offboarding, engine: SearchEngine, *, now: datetime) -> None:
    """Take back every credential of the tenant that the engine lists, whether or not a row of ours names it."""
    with open_operator():
        rows = list(EngineCredential.objects.filter(tenant_id=job.tenant_id, engine=engine.name))
    listed = (one for one in engine.credentials() if one.reach and one.reach.tenant_id == job.tenant_id)
    wanted = {row.engine_id for row in rows} | {one.id for one in listed}
    if not wanted:
        return
    engine.revoke(sorted(wanted))
    with open_operator():
        EngineCredential.objects.filter(id__in=[row.id for row in rows]).delete()
        counted = {**job.revoked, "engine_credentials": job.revoked["engine_credentials"] + len(wanted)}
        # Whoever revoked the same ones meanwhile has counted them already: the receipt says how many there were.
        Offboarding.objects.filter(id=job.id, revoked=job.revoked).update(revoked=counted, updated_at=now)


def _move(job: Offboarding, step: Step, *, now: datetime) -> Offboarding:
    with open_operator():
        Offboarding.objects.filter(id=job.id, step=job.step).update(step=step, message="", updated_at=now)
        return Offboarding.objects.get(id=job.id)


def _drop_tenant(job: Offboarding, *, now: datetime) -> Offboarding:
    """Delete the tenant and note it as its last event, in one transaction; writes still under way are waited for."""
    with transaction.atomic():
        with open_operator():
            held = Offboarding.objects.select_for_update().get(id=job.id)
            if held.step != Step.TENANT:
                return held
            scope = system_scope(job.tenant_id)
            note_event(scope, "tenant.offboarded", object_ids=[job.tenant_id, job.id], now=now)
        with open_eraser():
            Tenant.objects.filter(id=job.tenant_id).delete()
        return _move(held, Step.ENGINE, now=now)


def _finish(job: Offboarding, engine: SearchEngine, *, now: datetime) -> Offboarding:
    engine.purge(job.tenant_id)
    _revoke_credentials(job, engine, now=now)
    engine.expunge()
    _forget_counters(job)
    seal_events(now=now)
    with open_operator():
        if Event.objects.filter(tenant_id=job.tenant_id, seq__isnull=True).exists():
            raise Unavailable("the tenant's last events are not sealed yet")
        job = Offboarding.objects.get(id=job.id)
    receipt = receipt_of(job, engine, now=now)
    with transaction.atomic():
        with open_operator():
            done = Offboarding.objects.filter(id=job.id, step=Step.ENGINE).update(
                step=Step.DONE, receipt=receipt, message="", key_ids=[], updated_at=now
            )
        if done:
            note_site_event(
                "tenant.offboarded", object_ids=[job.tenant_id, job.id], data={"receipt": receipt}, now=now
            )
    with open_operator():
        return Offboarding.objects.get(id=job.id)


def _forget_counters(job: Offboarding) -> None:
    """Remove what is counted of the tenant and its keys; nobody counts for them any more."""
    counters().forget_below(f"{TALLIES}{job.tenant_id}:")
    names = [name for key_id in job.key_ids for name in counters_of(key_id)]
    names.append(f"mneme:group:{group_of(job.tenant_id)}")
    for start in range(0, len(names), 1_000):
        counters().forget(names[start : start + 1_000])
        if counters().held(names[start : start + 1_000]):
            raise NotEmpty("counters of the tenant's keys are still there")
