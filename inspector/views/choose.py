"""`inspector/`: which tenant's live page."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from inspector.services.admit import places_to_watch
from inspector.views.live import CONTENT_SECURITY_POLICY


@require_safe
@login_required
def choose(request: HttpRequest) -> HttpResponse:
    """Lead to the one tenant that the user may watch, or list them."""
    places = places_to_watch(request.user)
    if len(places) == 1:
        return redirect("inspector:live", places[0].slug)
    response = render(request, "inspector/choose.html", {"places": places})
    response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    add_never_cache_headers(response)
    return response
