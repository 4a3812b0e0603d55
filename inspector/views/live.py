"""`inspector/<slug>/`: the live page of one tenant."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from inspector.services.admit import place_of, watching_scope
from tenants.scope import ScopeDenied

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""Texts of memories are untrusted: nothing inline runs, and nothing comes from or goes to another site."""


@require_safe
@login_required
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page to a member; another tenant and none at all look alike."""
    try:
        place = place_of(request.user, slug)
        watching_scope(place, request_id=request.META["mneme.request_id"])
    except ScopeDenied as denied:
        response = render(request, "inspector/refused.html", {"said": str(denied)}, status=404)
    else:
        response = render(request, "inspector/live.html", {"place": place, "origin": request.build_absolute_uri("/")})
    response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    add_never_cache_headers(response)
    return response
