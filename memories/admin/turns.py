"""Turns: the archive, to look at."""

from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator

from memories.admin.memories import SHORT
from memories.models import Turn
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site


@admin.register(Turn, site=site)
class TurnAdmin(ScopedAdmin[Turn]):
    """What was said, as it was said."""

    noun = "turn"
    list_display = ("short_text", "session_link", "position", "role", "user_id", "occurred_at")
    list_display_links = ("short_text",)
    list_filter = ("role",)
    linked_lookups = ("session__id__exact", "subject__id__exact")
    list_select_related = ("subject", "session")
    search_fields = ("content", "session__external_id", "subject__external_id")
    search_help_text = "Search in texts, session ids and user ids"
    ordering = ("-recorded_at", "-id")
    fieldsets = (
        (None, {"fields": ("content", "role", "speaker", "user_id", "agent_id")}),
        ("Conversation", {"fields": ("session_link", "position", "occurred_at", "recorded_at")}),
        ("Record", {"fields": ("id", "metadata")}),
    )

    def heading(self, row: Turn) -> str:
        """Return the beginning of the text."""
        return self.short_text(row)

    @admin.display(description="text")
    def short_text(self, row: Turn) -> str:
        """Return the beginning of the text."""
        return Truncator(row.content).chars(SHORT)

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: Turn) -> str:
        """Return whose turn it is."""
        return row.subject.external_id if row.subject else "shared by all"

    @admin.display(description="session", ordering="session__external_id")
    def session_link(self, row: Turn) -> Any:
        """Return the conversation."""
        url = reverse("admin:memories_session_change", args=[row.session_id])
        return format_html('<a href="{}">{}</a>', url, row.session.external_id)
