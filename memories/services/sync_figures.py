"""How sync and the sealer stand over all tenants: counts and ages, for probes and metrics, which know no tenant."""

from dataclasses import dataclass

from django.db import connection


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncFigures:
    """Entries of the outbox, and events without a number yet; ages in seconds, 0 where there is nothing."""

    pending: int
    oldest_s: float
    awaiting_vector: int
    dead_letters: int
    unsealed: int
    sealer_lag_s: float


def sync_figures() -> SyncFigures:
    """Return the figures of now; no scope is open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memories_sync_figures()")
        columns = [column.name for column in cursor.description]
        return SyncFigures(**dict(zip(columns, cursor.fetchone(), strict=True)))
