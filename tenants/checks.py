"""System checks of the database walls; `manage.py check --database default` runs them."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register

from tenants.services.walls import wall_faults


@register(Tags.database)
def database_walls(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report every fault of the login and the tables' row-level security."""
    if not databases:
        return []
    return [
        Error(fault, hint="Run this process under the login mneme_web or mneme_worker.", id="tenants.E001")
        for fault in wall_faults()
    ]
