"""The memories app."""

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    """Archive, memories and their way into the search engine."""

    name = "memories"
