"""What a starting process says of the engine's wall: on what it stands, and which part of it is missing."""

import logging
import threading

from backends.errors import BackendError
from memories.services.engine import search_engine

log = logging.getLogger(__name__)


def report_walls() -> list[str]:
    """Log each wall that the engine does not give as it is set up, and return them; none when all stand.

    An engine that is away is said too: then nobody knows.
    """
    engine = search_engine()
    try:
        faults = engine.isolation_faults()
    except BackendError as error:
        faults = [f"the search engine did not say which walls stand: {error}"]
    for fault in faults:
        log.warning("%s: %s", engine.name, fault)
    if not faults:
        log.info("%s: every wall stands", engine.name)
    return faults


def report_walls_meanwhile() -> None:
    """Report in a thread: a server does not wait for an engine that is away."""
    threading.Thread(target=report_walls, name="report-walls", daemon=True).start()
