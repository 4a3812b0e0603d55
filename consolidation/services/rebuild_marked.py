"""Rebuild marked: all memories that wait for it, one after another."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.db import DatabaseError

from consolidation.services.marked import marked
from consolidation.services.rebuild import rebuild

log = logging.getLogger(__name__)


def rebuild_marked(
    *, clock: Callable[[], datetime], tenant_id: UUID | None = None, until: float | None = None
) -> "Counter[str]":
    """Rebuild what waits, of one tenant where named; return how many came out how. until: in time.monotonic()."""
    outcomes: Counter[str] = Counter()
    for one in marked(tenant_id):
        if until is not None and time.monotonic() > until:
            break
        try:
            outcome = rebuild(one, now=clock())
        except DatabaseError as error:
            log.warning("memory %s is not rebuilt yet, and is tried again: %s", one.memory_id, type(error).__name__)
            outcomes["failed"] += 1
            continue
        if outcome is not None:
            outcomes[outcome.value] += 1
    return outcomes
