"""How much is remembered over all tenants, for metrics, which know no tenant."""

from collections.abc import Mapping
from threading import Lock

from cachetools import TTLCache, cached
from django.db import connection

FRESH_S = 600
"""All rows are counted: not at every scrape."""


@cached(TTLCache(1, ttl=FRESH_S), lock=Lock())
def growth_figures() -> Mapping[tuple[str, str], int]:
    """Return the number of memories by kind and status, as it was ten minutes ago at most; no scope is open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_type, status, memories FROM memories_growth_figures()")
        return {(kind, status): memories for kind, status, memories in cursor.fetchall()}
