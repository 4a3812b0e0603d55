"""Check the search engine's own list of credentials."""

from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backends.errors import BackendError
from backends.search.connect import connect
from tenants.services.check_engine_keys import check_engine_keys


class Command(BaseCommand):
    """manage.py check_engine_keys [--repair], under the worker's login."""

    help = "Look for credentials at the search engine without a live key behind, or with other rights."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare --repair."""
        parser.add_argument("--repair", action="store_true", help="revoke them; what is needed is minted anew")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, print a line a finding, and end with 1 when a fault is left."""
        engine = connect(settings.SEARCH_URL, pool_size=settings.DATABASE_POOL_SIZE)
        try:
            checked = check_engine_keys(engine, repair=options["repair"], now=timezone.now())
        except BackendError as error:
            raise CommandError(f"The search engine did not answer: {error}") from error
        for finding in checked.found:
            self.stdout.write(f"{engine.name} {finding.engine_id}: {finding.code}")
        counts = Counter(finding.code for finding in checked.found)
        said = ", ".join(f"{number} {code}" for code, number in sorted(counts.items())) or "nothing found"
        self.stdout.write(f"{checked.held} credentials: {said}; {checked.repaired} repaired")
        left = sum(number for code, number in counts.items() if code != "ends_soon") - checked.repaired
        if left:
            raise CommandError(f"{left} faults are left; --repair revokes what should not be there.")
