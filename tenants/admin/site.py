"""The admin site: Django's, in unfold's clothes, with a tenant to choose and no other way in."""

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path, reverse

from tenants.admin.visit import may, visit_of
from tenants.scope import Ability

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
            "mneme_may_manage_members": may(request, Ability.MEMBERS_MANAGE),
        }

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Refuse: the library keeps what it finds in a cache that knows users but no tenants."""
        raise Http404


site = TenantSite(name="admin")


def tenant_line(request: HttpRequest) -> str:
    """Return the line under the site's name."""
    place = visit_of(request).place
    return f"{place.slug} · {place.role.label}" if place else "no tenant chosen"


def account_links(_: HttpRequest) -> list[dict[str, str]]:
    """Return the links of the user's menu."""
    return [{"title": "Choose a tenant", "link": reverse("admin:choose_tenant")}]
