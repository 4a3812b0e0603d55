"""Forget idempotency keys that nobody repeats any more."""

from datetime import datetime, timedelta

from django.db import connection

from tenants.services.open_scope import open_operator

KEPT = timedelta(days=7)
"""How long a repeated request is recognised."""


def forget_idempotency(*, now: datetime) -> int:
    """Remove keys older than KEPT, and return how many there were."""
    with open_operator(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM memories_idempotencykey WHERE created_at < %s", [now - KEPT])
        return int(cursor.rowcount)
