"""Create a tenant and print its first key once."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.validators import validate_slug
from django.utils import timezone

from tenants.scope import Ability
from tenants.services.create_tenant import TenantExists, create_tenant
from tenants.services.issue_key import AGENT_ABILITIES, KEY_ABILITIES


class Command(BaseCommand):
    """manage.py create_tenant SLUG [--name NAME] [--ability ABILITY …]."""

    help = "Create a tenant; its first API key is the last line printed, and is shown only now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG, --name and --ability."""
        parser.add_argument("slug", help="letters, digits, hyphens and underscores; at most 63 characters")
        parser.add_argument("--name", default="", help="the name people read (default: the slug)")
        parser.add_argument(
            "--ability",
            action="append",
            choices=[str(ability) for ability in KEY_ABILITIES],
            help="what the first key may do; may be given more than once (default: what agents need)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Create, and print the key alone on the last line."""
        slug = options["slug"]
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError("SLUG: use letters, digits, hyphens and underscores only.") from error
        if len(slug) > 63:
            raise CommandError("SLUG: use at most 63 characters.")
        try:
            issued = create_tenant(
                slug=slug,
                name=options["name"],
                abilities=[Ability(name) for name in options["ability"] or AGENT_ABILITIES],
                now=timezone.now(),
            )
        except TenantExists as error:
            raise CommandError(
                f"The tenant {slug} exists already; 'issue_key {slug}' makes a further key."
            ) from error
        self.stdout.write(issued.secret)
