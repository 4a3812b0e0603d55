"""Tenants: the one chosen, and a new one."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from tenants.admin.doors import outside
from tenants.admin.pages import FormPage, SecretPage
from tenants.admin.scoped import ScopedAdmin
from tenants.admin.site import site
from tenants.admin.visit import staff_id_of
from tenants.forms.tenant import CreateTenantForm
from tenants.models import Tenant
from tenants.services.create_tenant import TenantExists, create_tenant


@admin.register(Tenant, site=site)
class TenantAdmin(ScopedAdmin[Tenant]):
    """The chosen tenant; superusers make new ones and are their first owners."""

    noun = "tenant"
    notes = False  # there is only the one the user has entered
    add_words = "Create a tenant"
    list_display = ("slug", "name", "state", "created_at")
    fields = ("slug", "name", "state", "suspended_at", "offboarding_at", "id", "created_at")

    @admin.display
    def state(self, row: Tenant) -> str:
        """Return in service, suspended, or leaving; the operator's commands change it."""
        if row.offboarding_at is not None:
            return "leaving: everything of it is being removed"
        return "suspended: every key is refused" if row.suspended_at is not None else "in service"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Let superusers make tenants."""
        return bool(request.user.is_active and request.user.is_superuser)

    @outside
    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Create a tenant and show its first key."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = CreateTenantForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                issued = create_tenant(
                    slug=form.cleaned_data["slug"],
                    name=form.cleaned_data["name"],
                    founder_id=staff_id_of(request),
                    request_id=str(request.META["mneme.request_id"]),
                    now=timezone.now(),
                )
            except TenantExists:
                form.add_error("slug", "A tenant with this slug exists already.")
            else:
                return SecretPage(
                    title="Tenant created",
                    subtitle=form.cleaned_data["slug"],
                    what="first API key",
                    secret=issued.secret,
                    line=f"MNEME_API_KEY={issued.secret}",
                    done=reverse("admin:choose_tenant"),
                    notes=("The key may do all that agents do, for every user of the tenant.",),
                ).show(request, self)
        page = FormPage(
            title="Create a tenant",
            submit="Create",
            back=reverse("admin:choose_tenant"),
            intro=("You become its owner. Its first API key is shown once, on the next page.",),
        )
        return page.show(request, self, form)
