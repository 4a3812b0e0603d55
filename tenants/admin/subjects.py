"""Subjects: the people whose memories the tenant keeps."""

from django.contrib import admin

from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.models import Subject


@admin.register(Subject, site=site)
class SubjectAdmin(ScopedAdmin[Subject]):
    """People, by the user_id the tenant's product knows them by."""

    noun = "subject"
    list_display = ("external_id", "created_at")
    search_fields = ("external_id",)
    ordering = ("-created_at",)
    fields = ("external_id", "id", "created_at")

    def heading(self, row: Subject) -> str:
        """Return the user_id."""
        return row.external_id

    def subject_of(self, row: Subject) -> Subject:
        """Return the row itself."""
        return row
