"""Moments as they leave."""

from datetime import UTC, datetime


def iso(moment: datetime | None) -> str | None:
    """Return ISO 8601 in UTC with Z, or None."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None
