"""Tasks of the worker. Ids come by keyword; unknown ones are fine."""

import logging
import time
from uuid import UUID

from celery import shared_task
from django.db import DatabaseError
from django.utils import timezone

from backends.errors import BackendError
from memories.metrics import DRIFT, count_pass
from memories.services.drift import find_drift, tenants_to_check
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine
from memories.services.erase import erase_step, note_trouble, open_jobs
from memories.services.forget_idempotency import forget_idempotency
from memories.services.provision import provision
from memories.services.sync import sync
from memories.services.wake import wake

log = logging.getLogger(__name__)

DRAIN_S = 30.0
"""How long one task drains at most; beat starts the next."""


@shared_task(name="memories.sync")
def sync_task() -> None:
    """Run passes of sync until nothing is due or the time is up."""
    end = time.monotonic() + DRAIN_S
    while time.monotonic() < end:
        done = sync(search_engine(), model=embedder().model, now=timezone.now())
        if done.claimed:
            count_pass("sync", done=done.applied, failed=done.failed, given_up=done.given_up)
        if done.applied:
            wake("memories.embed")
        if not done.claimed or done.failed == done.claimed:
            return


@shared_task(name="memories.embed")
def embed_task() -> None:
    """Run passes of embed until nothing waits or the time is up; sync brings the vectors to the engine."""
    end = time.monotonic() + DRAIN_S
    while time.monotonic() < end:
        done = embed(embedder(), now=timezone.now())
        if done.claimed:
            count_pass("embed", done=done.embedded, failed=done.failed, given_up=done.given_up)
        if done.embedded:
            wake("memories.sync")
        if not done.claimed or done.failed == done.claimed:
            return


@shared_task(name="memories.erase")
def erase_task() -> None:
    """Take every open erasure a step further."""
    for job_id in open_jobs():
        try:
            erase_step(job_id, engine=search_engine(), now=timezone.now())
        except (BackendError, DatabaseError, OSError) as error:
            log.warning("erasure %s waits: %s", job_id, type(error).__name__)
            note_trouble(job_id, code=type(error).__name__, now=timezone.now())


@shared_task(name="memories.check_drift")
def check_drift_task() -> None:
    """Compare every tenant's documents in the engine with the record; what differs is an event and an alarm."""
    engine = search_engine()
    try:
        for tenant_id in tenants_to_check(engine=engine):
            for drift in find_drift(tenant_id, engine=engine, now=timezone.now()):
                for sort, documents in drift.counts.items():
                    DRIFT.labels(sort).inc(documents)
    except BackendError as error:
        log.error("the daily search for drift was not finished: %s", type(error).__name__)


@shared_task(name="memories.forget_idempotency")
def forget_idempotency_task() -> None:
    """Remove idempotency keys that nobody repeats any more."""
    forget_idempotency(now=timezone.now())


@shared_task(name="memories.provision")
def provision_task(*, tenant_id: str, subject_id: str) -> None:
    """Mint the engine credentials of a new subject ahead of its first recall."""
    provision(UUID(tenant_id), UUID(subject_id), engine=search_engine(), now=timezone.now())
