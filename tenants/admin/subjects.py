"""Subjects: the people whose memories the tenant keeps."""

from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.http import urlencode

from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.models import Subject

# What is known of a person stands in these lists, each narrowed by a link from his or her page.
KNOWN = (
    ("memories", "memories_memory"),
    ("sessions", "memories_session"),
    ("turns", "memories_turn"),
    ("decisions", "consolidation_decision"),
)


@admin.register(Subject, site=site)
class SubjectAdmin(ScopedAdmin[Subject]):
    """People, by the user_id the tenant's product knows them by."""

    noun = "subject"
    list_display = ("external_id", "created_at")
    search_fields = ("external_id",)
    ordering = ("-created_at",)
    fields = ("external_id", "known", "id", "created_at")

    def heading(self, row: Subject) -> str:
        """Return the user_id."""
        return row.external_id

    @admin.display(description="what is known")
    def known(self, row: Subject) -> Any:
        """Return the ways to what is kept of the person."""
        query = urlencode({"subject__id__exact": str(row.id)})
        ways = ((reverse(f"admin:{page}_changelist"), query, words) for words, page in KNOWN)
        return format_html_join(" · ", '<a href="{}?{}">{}</a>', ways)

    def subject_of(self, row: Subject) -> Subject:
        """Return the row itself."""
        return row
