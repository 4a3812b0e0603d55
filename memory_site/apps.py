"""The composition, as an app of Django."""

from django.apps import AppConfig


class MemorySiteConfig(AppConfig):
    """Makes our Celery application the one that wakes tasks, in web and in every command; no tables."""

    name = "memory_site"

    def ready(self) -> None:
        """Load it; without, a command would look for a broker where Celery does by default."""
        from memory_site import celery  # noqa: F401
