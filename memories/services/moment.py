"""The moment at which a change is told, once its locks are held."""

from datetime import datetime

from django.db import connection

from memories.models import Memory


def moment(now: datetime, *memories: Memory) -> datetime:
    """Return the time for a change of locked memories: not before the locks were had, nor before what they say.

    A request that waited for a lock would else tell its change into a past that somebody has asked about already.
    What takes long to commit after this still does: `as_of` the very last moment may see it late. The scope is open.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        row = cursor.fetchone()
    clock: list[datetime] = list(row or ())
    told = [value for memory in memories for value in (memory.recorded_at, memory.accepted_at) if value is not None]
    return max([now, *clock, *told])
