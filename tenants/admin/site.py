"""The admin site: Django's, in unfold's clothes, with a tenant to choose and no other way in."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone

from tenants.admin.visit import may, staff_id_of, visit_of
from tenants.scope import Ability
from tenants.services.note_refusal import note_refused_sign_in
from tenants.services.note_sign_in import note_password_changed, note_signed_in, note_signed_out

if TYPE_CHECKING:
    from django.contrib.admin import AdminSite
else:
    from unfold.sites import UnfoldAdminSite as AdminSite


class TenantSite(AdminSite):
    """Every page shows one tenant: the one its user has chosen among those the user is a member of."""

    index_title = "Overview"
    site_title = "Mneme"
    enable_nav_sidebar = True

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Add the page where the tenant is chosen; leave out Django's way from a row to a page of a public site."""
        from tenants.admin.choose_tenant import choose_tenant

        own = [path("choose/", self.admin_view(choose_tenant), name="choose_tenant")]
        given = [found for found in super().get_urls() if getattr(found, "name", None) != "view_on_site"]
        return [*own, *given]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add the chosen tenant, which every page shows, and what the role may manage."""
        return {
            **super().each_context(request),
            "mneme_place": visit_of(request).place,
            "mneme_may_manage_keys": may(request, Ability.KEYS_MANAGE),
            "mneme_may_erase": may(request, Ability.COMPLIANCE),
            "mneme_may_manage_members": may(request, Ability.MEMBERS_MANAGE),
        }

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Sign in, and put on the site's record who did, or failed to."""
        response = super().login(request, extra_context)
        if request.method == "POST":
            note = {**_at(request), "address": str(request.META.get("REMOTE_ADDR", ""))}
            if request.user.is_authenticated and response.status_code == HTTPStatus.FOUND:
                note_signed_in(staff_id_of(request), **note)
            else:
                locked = bool(getattr(request, "axes_locked_out", False))
                note_refused_sign_in(request.POST.get("username", ""), locked=locked, **note)
        return response

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Sign out, and put it on the record."""
        staff_id = request.user.pk
        response = super().logout(request, extra_context)
        if staff_id is not None:
            note_signed_out(staff_id, **_at(request))
        return response

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Change the password, and put it on the record."""
        response = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == HTTPStatus.FOUND:
            note_password_changed(staff_id_of(request), **_at(request))
        return response

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Refuse: the library keeps what it finds in a cache that knows users but no tenants."""
        raise Http404


site = TenantSite(name="admin")


def _at(request: HttpRequest) -> dict[str, Any]:
    return {"request_id": str(request.META["mneme.request_id"]), "now": timezone.now()}


def tenant_line(request: HttpRequest) -> str:
    """Return the line under the site's name."""
    place = visit_of(request).place
    if place is None:
        return "no tenant chosen"
    return f"{place.slug} · {place.role.label}{' · suspended' if place.suspended_at else ''}"


def account_links(_: HttpRequest) -> list[dict[str, str]]:
    """Return the links of the user's menu."""
    return [{"title": "Choose a tenant", "link": reverse("admin:choose_tenant")}]
