"""Try merge: two entities become one, unless the record refuses it; then they stay two, and the log says so."""

import logging
from datetime import datetime
from uuid import UUID

from django.db import transaction

from consolidation.models import Run
from consolidation.services.merge import NotMergeable, merge
from memories.models import Entity
from memories.services.references import UnknownReference
from tenants.scope import Scope

log = logging.getLogger(__name__)

_REFUSALS = (NotMergeable, UnknownReference, Entity.DoesNotExist)


def try_merge(scope: Scope, run: Run, one: UUID, other: UUID, *, why: str, now: datetime) -> bool:
    """Merge the other into the one, and say whether it was. The run's scope is open."""
    try:
        with transaction.atomic():
            merge(scope, one, other, why=why, now=now)
    except _REFUSALS as error:
        log.info("consolidation %s: two entities stay two: %s", run.id, type(error).__name__)
        return False
    return True
