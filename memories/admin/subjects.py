"""Subjects: the people whose memories the tenant keeps, and the page that erases one.

Here and not in tenants, since erasing takes the memories away.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.http import urlencode

from memories.forms.admin_erasure import EraseForm
from memories.services.erase import erase
from memories.services.kept_of import kept_of
from tenants.admin.doors import opens_itself
from tenants.admin.pages import FormPage
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import may, scope_of
from tenants.models import Subject
from tenants.scope import Ability

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

    def get_urls(self) -> list[URLPattern]:
        """Add the page that erases, before Django's own, which take any path."""
        view = self.admin_site.admin_view(self.erase_view)
        return [path("<uuid:subject_id>/erase/", view, name="tenants_subject_erase"), *super().get_urls()]

    @opens_itself
    def erase_view(self, request: HttpRequest, subject_id: UUID) -> HttpResponse:
        """Erase a person: show what goes, and begin once the user_id is typed."""
        if not may(request, Ability.COMPLIANCE):
            raise PermissionDenied
        scope = scope_of(request)
        try:
            kept = kept_of(scope, subject_id)
            form = EraseForm(scope, request.POST or None, user_id=kept.user_id)
            if request.method == "POST" and form.is_valid():
                job = erase(scope, subject_id, now=timezone.now())
                messages.success(request, f"{_BEGUN} The job is {job.id}.")
                return redirect(reverse("admin:tenants_subject_changelist"))
        except Subject.DoesNotExist as missing:
            raise Http404 from missing
        counted = ", ".join(f"{noun} {count}" for noun, count in kept.counts.items())
        page = FormPage(
            title="Erase a person",
            subtitle=kept.user_id,
            submit="Erase for ever",
            back=reverse("admin:tenants_subject_change", args=[subject_id]),
            intro=(f"All that is kept of “{kept.user_id}” goes, what is in compartments too: {counted}.", *_WHAT),
            dangerous=True,
        )
        return page.show(request, self, form)


# No name in it: messages are kept in the session, outside the tenant's walls.
_BEGUN = "Nobody sees anything of the person any more; the event subject.erased says when all of it is gone."
_WHAT = (
    "From then on nobody sees any of it, and the user_id is free for another person. This cannot be undone.",
    "Not removed: the event log, which names nobody, and backups; one that is restored is erased again.",
)
