"""Django's migrate, under the login that owns the tables."""

from typing import Any

from django.core.management.commands import migrate


class Command(migrate.Command):
    """manage.py migrate, under the owner's login.

    The checks of the database are for the logins that serve, and refuse the owner's, which opens no scope.
    """

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Return what is checked: everything but the database."""
        checked: dict[str, Any] = dict(super().get_check_kwargs(options))  # type: ignore[arg-type]
        return {**checked, "databases": None}
