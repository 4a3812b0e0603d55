"""Issue a further key of a tenant and print it once."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone

from tenants.services.create_tenant import system_scope
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
        with connection.cursor() as cursor:
            cursor.execute("SELECT tenants_find_tenant(%s)", [options["slug"]])
            found = cursor.fetchone()
        tenant_id: UUID | None = found[0] if found else None
        if tenant_id is None:
            raise CommandError(f"There is no tenant {options['slug']}; 'create_tenant {options['slug']}' makes it.")
        issued = issue_key(system_scope(tenant_id), name=options["name"], now=timezone.now())
        self.stdout.write(issued.secret)
