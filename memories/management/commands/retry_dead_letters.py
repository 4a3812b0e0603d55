"""Try again what the search engine or the embedder would not take."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.search import names
from memories.services.dead_letters import retry_dead_letters, tenants_with_dead_letters
from tenants.services.create_tenant import system_scope
from tenants.services.find_tenant import find_tenant


class Command(BaseCommand):
    """manage.py retry_dead_letters [--tenant SLUG] [--kind KIND], under the worker's login."""

    help = (
        "Make dead letters due again, once what made them so is mended. sync/ and the admin show how many there are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add which."""
        parser.add_argument("--tenant", metavar="SLUG", help="of this tenant only")
        parser.add_argument("--kind", choices=names.KINDS, help="documents of this kind only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make them due, and say how many."""
        tenants = tenants_with_dead_letters()
        if options["tenant"]:
            named = find_tenant(options["tenant"])
            if named is None:
                raise CommandError(f"There is no tenant {options['tenant']}.")
            tenants = [named]
        now = timezone.now()
        retried = sum(retry_dead_letters(system_scope(tenant), kind=options["kind"], now=now) for tenant in tenants)
        self.stdout.write(f"{retried} dead letters are due again.")
