"""Whatever process wakes a task finds our broker."""

import os
import subprocess
import sys

from django.conf import settings

ASKED = """
import threading
from celery import current_app
asking = threading.Thread(target=lambda: print(current_app.main, current_app.conf.broker_url))
asking.start()
asking.join()
"""


def test_a_command_wakes_tasks_at_our_broker() -> None:
    environment = {**os.environ, "REDIS_URL": "redis://127.0.0.1:7/0"}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", ASKED],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == ["memory_site", "redis://127.0.0.1:7/0"], done.stderr
