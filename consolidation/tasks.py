"""Tasks of the worker."""

import time

from celery import shared_task
from django.utils import timezone

from consolidation.services.due import due
from consolidation.services.forget_jobs import TASK as FORGET
from consolidation.services.forget_jobs import begin_nightly, do_forgetting, open_forgetting
from consolidation.services.jobs import TASK, do_asked, open_asked
from consolidation.services.nights import nights
from consolidation.services.read_again import read_days
from consolidation.services.rebuild_marked import rebuild_marked
from consolidation.services.revert_later import do_revert, open_reverts
from consolidation.services.work import work
from memories.services.language_model import language_model
from memories.services.wake import wake

READ_AGAIN = "consolidation.read_again"
WORK_S = 20.0
"""How long one task works at most; what is left is woken for at once, behind the tasks that wait."""


@shared_task(name="consolidation.run")
def run_task() -> None:
    """Do what was asked for, rebuild what lost evidence, then consolidate whatever is due."""
    until = time.monotonic() + WORK_S
    for job_id in open_reverts():
        do_revert(job_id, now=timezone.now())
    rebuild_marked(clock=timezone.now, until=until)
    for job_id in open_asked():
        do_asked(job_id, clock=timezone.now, llm=language_model(), until=until)
    if work(due(now=timezone.now()), clock=timezone.now, llm=language_model(), until=until).left or open_asked():
        wake(TASK)


@shared_task(name="consolidation.forget")
def forget_task() -> None:
    """Begin what the quiet hour of a tenant begins, then do what is open."""
    until = time.monotonic() + WORK_S
    begin_nightly(now=timezone.now())
    for job_id in open_forgetting():
        if not do_forgetting(job_id, clock=timezone.now, llm=language_model(), until=until):
            wake(FORGET)
            return


@shared_task(name="consolidation.read_again")
def read_again_task() -> None:
    """Read the days that have ended once more."""
    now = timezone.now()
    if not read_days(nights(now=now), clock=timezone.now, llm=language_model(), until=time.monotonic() + WORK_S):
        wake(READ_AGAIN)
