"""Wake a task: a courtesy that may fail silently, since beat runs every task anyway."""

import logging

from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def wake(task: str, **ids: str) -> None:
    """Ask a worker to run a task soon; a broker that is away costs a short wait and a line in the log."""
    try:
        current_app.send_task(task, kwargs=ids, expires=60, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("broker away, beat will run %s: %s", task, type(error).__name__)
