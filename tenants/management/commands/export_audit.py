"""Export one chain of the event log for the offline verifier."""

import sys
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tenants.services.export_chain import export_chain
from tenants.services.find_tenant import find_tenant


class Command(BaseCommand):
    """manage.py export_audit SLUG [--out FILE]; SLUG may be `site`, or the id of a tenant that was offboarded."""

    help = "Write a chain of the event log, for tools/verify_audit.py."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare SLUG and --out."""
        parser.add_argument("slug")
        parser.add_argument("--out", type=Path, help="a file (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write line by line."""
        tenant_id = None
        if options["slug"] != "site":
            tenant_id = find_tenant(options["slug"]) or _id_of(options["slug"])
            if tenant_id is None:
                raise CommandError(f"There is no tenant {options['slug']}; name one that was offboarded by its id.")
        if options["out"] is None:
            sys.stdout.writelines(f"{line}\n" for line in export_chain(tenant_id))
            return
        with options["out"].open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in export_chain(tenant_id))


def _id_of(given: str) -> UUID | None:
    try:
        return UUID(given)
    except ValueError:
        return None
