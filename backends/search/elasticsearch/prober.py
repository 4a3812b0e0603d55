"""Prober: what the probe found, once a process; what was asked for and not found is tried again after a while."""

import logging
import threading
import time
from collections.abc import Callable

from backends.errors import BackendError, Unavailable
from backends.search.elasticsearch.client import translated
from backends.search.native import Capabilities, Native

log = logging.getLogger(__name__)

AGAIN_S = 300.0
"""Seconds until what does not work is tried again: an endpoint's model may only have been away."""
AWAY_AGAIN_S = 30.0


class Prober:
    """Probes when first asked; who asks meanwhile waits. tried: probes; raises ApiError or TransportError."""

    def __init__(self, tried: Callable[[], Capabilities], native: Native) -> None:
        self._tried = tried
        self._asked = native.asked
        self._lock = threading.Lock()
        self._found: Capabilities | None = None
        self._away: BackendError | None = None
        self._again_at = 0.0

    def found(self) -> Capabilities:
        """Return the capabilities. Raises Unavailable, Rejected or Refused, when the engine could not be tried."""
        with self._lock:
            if time.monotonic() >= self._again_at:
                if self._found is None:
                    self._probe()
                else:  # nobody waits for what did not work a moment ago
                    self._again_at = float("inf")
                    threading.Thread(target=self._probe, name="probe-again", daemon=True).start()
            if self._found is None:
                raise self._away or Unavailable("Elasticsearch was not tried yet")
            return self._found

    def works(self, feature: str) -> bool:
        """Say whether a feature was asked for and found; not while the engine cannot be tried."""
        if feature not in self._asked:
            return False
        try:
            return feature in self.found().found
        except BackendError as error:
            log.warning("%s is done without: %s", feature, error)
            return False

    def _probe(self) -> None:
        try:
            with translated():
                self._found, self._away = self._tried(), None
        except BackendError as error:
            self._away = error  # what was found before stands
            self._again_at = time.monotonic() + AWAY_AGAIN_S
            return
        whole = self._found.found.issuperset(self._asked)
        self._again_at = float("inf") if whole else time.monotonic() + AGAIN_S
