"""Looking after services: who ends by itself is started again, and that is said."""

import logging
import time
from collections.abc import Iterable

from memory_site.stack.errors import StackFailed
from memory_site.stack.guardian import guardian
from memory_site.stack.service import Service

logger = logging.getLogger(__name__)

WITHIN_S = 60.0
DEATHS = 5
"""As many deaths within WITHIN_S, and another start would not help."""


class Supervisor:
    """Looks after services by being asked to, often: it has no thread of its own.

    wait_s: how long the second death within a minute delays the next start.
    """

    def __init__(self, services: Iterable[Service], *, wait_s: float = 1.0) -> None:
        self._wait_s = wait_s
        self._services = tuple(services)
        self._deaths: dict[str, list[float]] = {service.name: [] for service in self._services}
        self._due: dict[str, float] = {}

    def check(self) -> None:
        """Look once at every service; note the death of some, start others again when it is time.

        Raises StackFailed, when a service died too often.
        """
        guardian().keep()
        now = time.monotonic()
        for service in self._services:
            if service.is_running or not service.is_wanted:
                continue
            if service.name not in self._due:
                self._due[service.name] = now + self._note_death(service, now)
            elif now >= self._due[service.name]:
                del self._due[service.name]
                service.launch()

    def _note_death(self, service: Service, now: float) -> float:
        """Say that it died; return the seconds to wait: none the first time, then wait_s, doubled each time."""
        deaths = self._deaths[service.name]
        deaths[:] = [death for death in deaths if now - death < WITHIN_S] + [now]
        how = service.how_it_ended
        if len(deaths) >= DEATHS:
            raise StackFailed(
                f"{service.name} ended {DEATHS} times within a minute, last {how}: see {service.log} for the reason"
            )
        logger.warning("%s ended by itself (%s); starting it again, see %s", service.name, how, service.log)
        return 0.0 if len(deaths) == 1 else self._wait_s * 2 ** (len(deaths) - 2)
