"""Retract: it was never true."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from memories.models.memory import WAITING, Status
from memories.services.close_retracted import close_retracted
from memories.services.closed import Closed
from memories.services.evidence_lost import evidence_lost
from memories.services.find_memory import MemoryNotOpen, lock_memory
from memories.services.moment import moment
from memories.services.wake import wake
from tenants.scope import Ability, Scope
from tenants.services.open_scope import open_scope, open_unseen


def retract(scope: Scope, memory_id: UUID, *, if_match: int | None = None, now: datetime) -> Closed:
    """Close a memory, active or waiting, as never true; what it had contradicted is believed again, as a copy.

    What rested on it alone goes with it (memories.services.evidence_lost), in compartments and of kinds that the
    caller cannot see as well. Returns all of it, which is not for the caller to be told.
    Raises ScopeDenied; Memory.DoesNotExist; MemoryNotOpen, when it is closed already; StaleVersion.
    """
    scope.require(Ability.MEMORIES_WRITE)
    with open_scope(scope):
        memory = lock_memory(scope, memory_id, if_match=if_match)
        if memory.status not in (Status.ACTIVE, *WAITING):
            raise MemoryNotOpen(f"memory {memory.id} is {memory.status}; ask for its history")
        now = moment(now, memory)
        with open_unseen(scope):
            closed = close_retracted(scope, memory, reason="", now=now)
            closed.add(evidence_lost(scope, [memory], reason="retracted", now=now))
        transaction.on_commit(lambda: wake("memories.sync"))
        return closed
