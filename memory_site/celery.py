"""The Celery application: sync in the background, and beat for what must not be forgotten."""

import os

from celery import Celery
from celery.schedules import crontab
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_site.settings")

app = Celery("memory_site")
app.conf.update(
    broker_url=settings.REDIS_URL,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "socket_connect_timeout": 0.5,
        "socket_timeout": 5,
        "max_retries": 0,  # a request that wakes a task does not wait for a broker that is away
    },
    broker_pool_limit=10,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_default_queue="mneme",
    task_routes={"memories.embed": {"queue": "embed"}},  # so that no text waits for another's vectors
    task_publish_retry=False,  # a wake-up is a courtesy: beat guarantees
    worker_hijack_root_logger=False,
    worker_prefetch_multiplier=1,
    timezone="UTC",
    beat_schedule={
        "sync": {"task": "memories.sync", "schedule": 1.0, "options": {"expires": 5}},
        "embed": {"task": "memories.embed", "schedule": 1.0, "options": {"expires": 5}},
        "forget_idempotency": {"task": "memories.forget_idempotency", "schedule": crontab(hour="3", minute="17")},
        "forget_recalls": {"task": "memories.forget_recalls", "schedule": crontab(hour="3", minute="27")},
        "check_drift": {"task": "memories.check_drift", "schedule": crontab(hour="2", minute="41")},
        "revoke_dead": {"task": "memories.revoke_dead", "schedule": 60.0, "options": {"expires": 50}},
        "check_engine_keys": {"task": "memories.check_engine_keys", "schedule": crontab(hour="4", minute="41")},
        "sign_heads": {"task": "memories.sign_heads", "schedule": crontab(hour="0", minute="7")},
        "offboard": {"task": "memories.offboard", "schedule": 5.0, "options": {"expires": 10}},
        "forget": {"task": "consolidation.forget", "schedule": crontab(minute="*/10"), "options": {"expires": 500}},
        "read_again": {
            "task": "consolidation.read_again",
            "schedule": crontab(minute="5-59/10"),
            "options": {"expires": 500},
        },
        "erase": {"task": "memories.erase", "schedule": 5.0, "options": {"expires": 10}},
    },
)
if settings.CONSOLIDATE_EVERY_S:
    app.conf.beat_schedule["consolidate"] = {
        "task": "consolidation.run",
        "schedule": float(settings.CONSOLIDATE_EVERY_S),
        "options": {"expires": settings.CONSOLIDATE_EVERY_S},
    }
app.autodiscover_tasks(["memories", "consolidation"])
