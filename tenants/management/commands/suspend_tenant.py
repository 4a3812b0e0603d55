"""Suspend a tenant."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.services.find_tenant import find_tenant
from tenants.services.suspend_tenant import suspend_tenant


class Command(BaseCommand):
    """manage.py suspend_tenant SLUG, under the worker's login."""

    help = "Refuse every key of a tenant from now on; its data stays. resume_tenant undoes it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG."""
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        """Suspend."""
        tenant_id = find_tenant(options["slug"])
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}.")
        changed = suspend_tenant(tenant_id, now=timezone.now())
        self.stdout.write(f"The tenant {options['slug']} is {'suspended' if changed else 'suspended already'}.")
