"""Create a superuser of the admin and print its password once."""

from typing import Any

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tenants.roles import Role
from tenants.services.create_admin import UserExists, create_admin
from tenants.services.find_tenant import find_tenant


class Command(BaseCommand):
    """manage.py create_admin USERNAME [--tenant SLUG …] [--role ROLE] [--replace-password]."""

    help = "Create a superuser of the admin; its password is the last line printed, and is shown only now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare USERNAME, --tenant, --role and --replace-password."""
        parser.add_argument("username")
        parser.add_argument("--tenant", action="append", default=[], metavar="SLUG", help="may be given again")
        parser.add_argument("--role", choices=Role.values, default=Role.OWNER, help="in those tenants: %(default)s")
        parser.add_argument("--replace-password", action="store_true", help="of a user who is there already")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create, and print the password alone on the last line."""
        try:
            UnicodeUsernameValidator()(options["username"])
        except ValidationError as error:
            raise CommandError("USERNAME: use letters, digits and @ . + - _ only.") from error
        tenants = {slug: find_tenant(slug) for slug in options["tenant"]}
        for slug, found in tenants.items():
            if found is None:
                raise CommandError(f"There is no tenant {slug}; 'create_tenant {slug}' makes it.")
        try:
            password = create_admin(
                options["username"],
                tenant_ids=[found for found in tenants.values() if found is not None],
                role=Role(options["role"]),
                replace_password=options["replace_password"],
                now=timezone.now(),
            )
        except UserExists as error:
            raise CommandError(
                f"There is a user {options['username']} already; --replace-password gives it a new one."
            ) from error
        self.stdout.write(password)
