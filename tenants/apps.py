"""The tenants app."""

from django.apps import AppConfig


class TenantsConfig(AppConfig):
    """Registers the system checks of the database walls."""

    name = "tenants"

    def ready(self) -> None:
        """Register checks; importing them is what registers."""
        from tenants import checks  # noqa: F401
