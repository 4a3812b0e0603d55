"""Resume a tenant."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.services.find_tenant import find_tenant
from tenants.services.suspend_tenant import TenantLeaving, resume_tenant


class Command(BaseCommand):
    """manage.py resume_tenant SLUG, under the worker's login."""

    help = "Let the keys of a suspended tenant in again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Resume."""
        tenant_id = find_tenant(options["slug"])
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}.")
        try:
            changed = resume_tenant(tenant_id, now=timezone.now())
        except TenantLeaving as leaving:
            raise CommandError(
                f"The tenant {options['slug']} is being offboarded; nothing brings it back."
            ) from leaving
        self.stdout.write(f"The tenant {options['slug']} is {'in service again' if changed else 'not suspended'}.")
