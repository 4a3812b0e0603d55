"""Issue a further key of a tenant and print it once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant
from tenants.services.issue_key import issue_key


class Command(BaseCommand):
    """manage.py issue_key SLUG [--name NAME]."""

    help = "Issue a further API key of a tenant; it is the last line printed, and is shown only now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG and --name."""
        parser.add_argument("slug")
        parser.add_argument("--name", default="issued at the command line")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue, and print the key alone on the last line."""
        tenant_id = find_tenant(options["slug"])
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}; 'create_tenant {options['slug']}' makes it.")
        issued = issue_key(system_scope(tenant_id), name=options["name"], now=timezone.now())
        self.stdout.write(issued.secret)
