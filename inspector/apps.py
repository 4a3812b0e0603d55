"""The inspector app."""

from django.apps import AppConfig


class InspectorConfig(AppConfig):
    """Watching: pages and a websocket over what the other rooms have written; no tables of its own."""

    name = "inspector"
