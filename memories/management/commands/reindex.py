"""Bring the whole record to a search engine that is new or was wiped."""

from typing import Any

from django.core.management.base import BaseCommand

from memories.services.reindex import reindex


class Command(BaseCommand):
    """manage.py reindex, under the worker's login, after setup_search."""

    help = "Note every searched row for sync; the worker then brings all of them to the search engine."

    def handle(self, *args: Any, **options: Any) -> None:
        """Note them, and say how many."""
        self.stdout.write(f"{reindex()} rows are on their way to the search engine.")
