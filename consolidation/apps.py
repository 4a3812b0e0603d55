"""The consolidation app."""

from django.apps import AppConfig


class ConsolidationConfig(AppConfig):
    """Sleep: episodes become facts, playbooks, entities and relations, and old truth gives way to new."""

    name = "consolidation"
