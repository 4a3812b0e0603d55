"""Every URL of the site."""

from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

import consolidation.admin  # noqa: F401 - registers its pages
import memories.admin  # noqa: F401 - registers its pages
import tenants.admin  # noqa: F401 - registers its pages
from memory_site.errors import bad_request, forbidden, not_found, server_error
from memory_site.health import live, ready
from memory_site.metrics import metrics
from memory_site.openapi import Document
from tenants.admin.site import site

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="docs")),
    path("api/v1/", include("tenants.urls")),
    path("api/v1/", include("memories.urls")),
    path("api/v1/", include("consolidation.urls")),
    path("api/schema/", Document.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    path("inspector/", include("inspector.urls")),
    path("admin/", site.urls),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("metrics", metrics),
    path("health/live/", live),
    path("health/ready/", ready),
]
handler400 = bad_request
handler403 = forbidden
handler404 = not_found
handler500 = server_error
