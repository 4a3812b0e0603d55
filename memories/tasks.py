"""Tasks of the worker. Ids come by keyword; unknown ones are fine."""

import logging
import time
from pathlib import Path
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from backends.errors import BackendError
from backends.search import names
from memories.metrics import DRIFT, count_pass
from memories.services.compare import tenants_of
from memories.services.drift import find_drift
from memories.services.embed import embed
from memories.services.engine import embedder, search_engine, token_encoder
from memories.services.erase import erase_step, note_trouble, open_jobs
from memories.services.forget_idempotency import forget_idempotency
from memories.services.forget_recalls import forget_recalls
from memories.services.offboard_step import NotEmpty, note_wait, offboard_step, open_offboardings
from memories.services.offboarding_receipt import StillThere, write_receipts
from memories.services.provision import provision
from memories.services.sync import sync
from memories.services.wake import wake
from tenants.services.check_engine_keys import check_engine_keys
from tenants.services.revoke_dead import revoke_dead
from tenants.services.signed_heads import sign_heads
from tenants.services.signing import NoAuditKey, audit_key

log = logging.getLogger(__name__)

DRAIN_S = 30.0
"""How long one task drains at most; beat starts the next."""


@shared_task(name="memories.sync")
def sync_task() -> None:
    """Run passes of sync until nothing is due or the time is up."""
    encoder = token_encoder()
    token_model = None if encoder is None else encoder.model
    end = time.monotonic() + DRAIN_S
    while time.monotonic() < end:
        done = sync(search_engine(), model=embedder().model, token_model=token_model, now=timezone.now())
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
        done = embed(embedder(), encoder=token_encoder(), now=timezone.now())
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
        for tenant_id in tenants_of(names.KINDS, engine=engine):
            for drift in find_drift(tenant_id, engine=engine, now=timezone.now()):
                for sort, documents in drift.counts.items():
                    DRIFT.labels(sort).inc(documents)
    except BackendError as error:
        log.error("the daily search for drift was not finished: %s", type(error).__name__)


@shared_task(name="memories.offboard")
def offboard_task() -> None:
    """Take every open offboarding a step further, and write the receipts of those that are done."""
    for job_id in open_offboardings():
        try:
            offboard_step(job_id, engine=search_engine(), now=timezone.now())
        except (BackendError, DatabaseError, NotEmpty, StillThere, NoAuditKey) as error:
            log.warning("offboarding %s waits: %s", job_id, type(error).__name__)
            note_wait(job_id, code=type(error).__name__, now=timezone.now())
    write_receipts(Path(settings.RECEIPTS_FOLDER))


@shared_task(name="memories.sign_heads")
def sign_heads_task() -> None:
    """Write down the signed heads of all chains, where the site has a key to sign with."""
    try:
        key = audit_key()
    except NoAuditKey as error:
        log.error("the heads of the event log are not signed: %s", error)
        return
    sign_heads(Path(settings.AUDIT_HEADS_FILE), key=key, now=timezone.now())


@shared_task(name="memories.forget_idempotency")
def forget_idempotency_task() -> None:
    """Remove idempotency keys that nobody repeats any more."""
    forget_idempotency(now=timezone.now())


@shared_task(name="memories.forget_recalls")
def forget_recalls_task() -> None:
    """Remove recalls that are older than their tenants keep them."""
    forget_recalls(now=timezone.now())


@shared_task(name="memories.check_engine_keys")
def check_engine_keys_task() -> None:
    """Note on the site's chain what is wrong with the engine's credentials; manage.py check_engine_keys repairs."""
    check_engine_keys(search_engine(), repair=False, now=timezone.now())


@shared_task(name="memories.revoke_dead")
def revoke_dead_task() -> None:
    """Take from the engine what it still holds for keys that ended."""
    revoke_dead(search_engine(), now=timezone.now())


@shared_task(name="memories.provision")
def provision_task(*, tenant_id: str, subject_id: str) -> None:
    """Mint the engine credentials of a new subject ahead of its first recall."""
    provision(UUID(tenant_id), UUID(subject_id), engine=search_engine(), now=timezone.now())
