"""When a memory expires: computed once, on writing."""

from collections.abc import Mapping
from datetime import datetime, timedelta

CATEGORY_TTL_DAYS: Mapping[str, int] = {"preference": 365, "progress": 7}
"""Days by category; what is not listed never expires. Source: seed S1, S2 (TTL by category)."""


def expires_at(category: str, ttl_days: int | None, *, now: datetime) -> datetime | None:
    """Return the end of a memory's life: ttl_days from now where given, else by its category; None = never."""
    days = ttl_days if ttl_days is not None else CATEGORY_TTL_DAYS.get(category)
    return None if days is None else now + timedelta(days=days)
