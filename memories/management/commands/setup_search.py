"""Create what the search engine needs: indexes and aliases, or tables."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backends.errors import BackendError
from memories.documents.registry import definitions
from memories.services.engine import search_engine


class Command(BaseCommand):
    """manage.py setup_search, under the owner's login."""

    help = "Create the search engine's indexes or tables where they are missing; change nothing that is there."

    def handle(self, *args: Any, **options: Any) -> None:
        """Ensure every kind's index."""
        engine = search_engine()
        try:
            engine.ensure(definitions())
            faults = [*engine.isolation_faults(), *engine.native_faults()]
            found = engine.capabilities()
        except BackendError as error:
            raise CommandError(f"The search engine is not ready: {error}. Check SEARCH_URL.") from error
        for fault in faults:
            self.stderr.write(self.style.WARNING(f"{engine.name}: {fault}"))
        if found is not None:
            self.stdout.write(f"{engine.name}: {found.said()}")
        self.stdout.write(f"{engine.name}: ready")
