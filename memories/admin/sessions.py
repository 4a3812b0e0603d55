"""Sessions: conversations, to look at."""

from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode

from memories.models import Session
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site


@admin.register(Session, site=site)
class SessionAdmin(ScopedAdmin[Session]):
    """Conversations, by the session_id the tenant's product knows them by."""

    noun = "session"
    linked_lookups = ("subject__id__exact",)
    list_display = ("external_id", "user_id", "turn_count", "created_at")
    list_select_related = ("subject",)
    search_fields = ("external_id", "subject__external_id")
    ordering = ("-created_at", "-id")
    fields = ("external_id", "user_id", "turns", "speakers", "created_at", "id")

    def heading(self, row: Session) -> str:
        """Return the session_id."""
        return row.external_id

    @admin.display(description="user", ordering="subject__external_id")
    def user_id(self, row: Session) -> str:
        """Return whose conversation it is."""
        return row.subject.external_id if row.subject else "shared by all"

    @admin.display(description="turns")
    def turns(self, row: Session) -> Any:
        """Return the way to the turns, in order."""
        query = urlencode({"session__id__exact": str(row.id), "o": "3"})
        url = reverse("admin:memories_turn_changelist")
        return format_html('<a href="{}?{}">{}</a>', url, query, row.turn_count)
