"""Roles: who speaks in a turn."""

from django.db.models import TextChoices


class Role(TextChoices):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
