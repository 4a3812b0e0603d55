"""What a starting process says of the engine: which walls are missing, and what of its own was asked for in vain."""

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


def report_native() -> list[str]:
    """Log what was asked of the engine's own, each feature tried, and return what does not work."""
    engine = search_engine()
    if not engine.native.asked:
        return []
    try:
        found, faults = engine.capabilities(), engine.native_faults()
    except BackendError as error:
        log.warning("%s: what works of its own is not known, the portable way answers: %s", engine.name, error)
        return []
    for fault in faults:
        log.warning("%s: %s", engine.name, fault)
    if found is not None:
        log.info("%s: %s", engine.name, found.said())
    return faults


def report_meanwhile() -> None:
    """Report in a thread: a server does not wait for an engine that is away."""
    threading.Thread(target=_report, name="report-engine", daemon=True).start()


def _report() -> None:
    report_walls()
    report_native()
