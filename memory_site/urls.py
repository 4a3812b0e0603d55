"""Every URL of the site."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from memory_site.errors import not_found, server_error
from memory_site.health import live, ready

urlpatterns = [
    path("api/v1/", include("tenants.urls")),
    path("api/v1/", include("memories.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema")),
    path("health/live/", live),
    path("health/ready/", ready),
]
handler404 = not_found
handler500 = server_error
