"""Seal events for ever: the sealer's own process, which needs Postgres and nothing else."""

import asyncio
import logging
import signal
import time
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, connection
from django.utils import timezone

from tenants.services.announce import announce
from tenants.services.seal_events import BATCH_EVENTS, seal_events

log = logging.getLogger(__name__)

PAUSE_S = 0.2
LONGEST_PAUSE_S = 5.0
"""Between tries while the database is away; each pause is twice the one before."""


class Command(BaseCommand):
    """manage.py seal_events [--once]."""

    help = "Number the events of every tenant as they come, several times a second, until SIGTERM."
    stopping = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --once."""
        parser.add_argument("--once", action="store_true", help="seal what is there and end")

    def handle(self, *args: Any, **options: Any) -> None:
        """Seal, announce, pause; a database that is away is waited for."""
        with asyncio.Runner() as runner:
            if options["once"]:
                while self._seal(runner):
                    pass
                return
            for signum in (signal.SIGTERM, signal.SIGINT):
                signal.signal(signum, self._stop)
            self.stdout.write("Sealing events.")
            self.stdout.flush()
            self._run(runner)

    def _run(self, runner: asyncio.Runner) -> None:
        pause_s = PAUSE_S
        while not self.stopping:
            try:
                more = self._seal(runner)
                pause_s = PAUSE_S
            except OperationalError as error:
                log.warning("database away, sealing waits: %s", error)
                connection.close()
                more, pause_s = False, min(pause_s * 2, LONGEST_PAUSE_S)
            if not more and not self.stopping:
                time.sleep(pause_s)

    def _seal(self, runner: asyncio.Runner) -> bool:
        """Run one pass; say whether a tenant may have more than it took."""
        sealed = seal_events(now=timezone.now())
        if sealed:
            runner.run(announce(sealed))
        return any(done.last - done.first + 1 == BATCH_EVENTS for done in sealed)

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        self.stopping = True
