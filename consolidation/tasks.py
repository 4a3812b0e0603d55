"""Tasks of the worker."""

import time

from celery import shared_task
from django.utils import timezone

from consolidation.services.due import due
from consolidation.services.jobs import TASK, do_asked, open_asked
from consolidation.services.work import work
from memories.services.language_model import language_model
from memories.services.wake import wake

WORK_S = 20.0
"""How long one task works at most; what is left is woken for at once, behind the tasks that wait."""


@shared_task(name="consolidation.run")
def run_task() -> None:
    """Do what was asked for, then whatever is due."""
    until = time.monotonic() + WORK_S
    for job_id in open_asked():
        do_asked(job_id, clock=timezone.now, llm=language_model(), until=until)
    if work(due(now=timezone.now()), clock=timezone.now, llm=language_model(), until=until).left or open_asked():
        wake(TASK)
