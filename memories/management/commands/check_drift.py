"""Compare the search engine with the record."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.errors import BackendError
from backends.search import names
from memories.services.compare import tenants_of
from memories.services.drift import find_drift, mend_drift
from memories.services.engine import search_engine
from tenants.services.find_tenant import find_tenant


class Command(BaseCommand):
    """manage.py check_drift [--repair] [--tenant SLUG], under the worker's login; ends with 1 if drift is left."""

    help = (
        "Find documents that the engine lacks, holds at another version, or holds alone; writes may go on meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add whose, and whether to mend."""
        parser.add_argument("--tenant", metavar="SLUG", help="of this tenant only")
        parser.add_argument("--repair", action="store_true", help="bring what is missing, remove what is extra")

    def handle(self, *args: Any, **options: Any) -> None:
        """Compare, say what differs, mend it if told to."""
        engine, left = search_engine(), 0
        try:
            tenants = self._tenants(options["tenant"]) or tenants_of(names.KINDS, engine=engine)
            for tenant_id in tenants:
                for drift in find_drift(tenant_id, engine=engine, now=timezone.now()):
                    said = ", ".join(f"{count} {sort}" for sort, count in drift.counts.items() if count)
                    self.stdout.write(f"tenant {tenant_id}, {drift.kind}: {said}")
                    left += len(drift.found)
                    if options["repair"]:
                        left -= len(drift.found)
                        mended = mend_drift(drift, engine=engine, now=timezone.now())
                        self.stdout.write(f"  {mended} mended")
        except BackendError as error:
            raise CommandError(f"The engine did not answer: {error}") from error
        self.stdout.write(f"{len(tenants)} tenants compared, {left} documents differ.")
        if left:
            sys.exit(1)

    def _tenants(self, slug: str | None) -> list[Any]:
        if slug is None:
            return []
        tenant_id = find_tenant(slug)
        if tenant_id is None:
            raise CommandError(f"There is no tenant {slug}.")
        return [tenant_id]
