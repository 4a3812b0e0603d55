"""The middleware that runs every page of the admin inside the one tenant its user has chosen."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from tenants.admin.doors import Door, door_of
from tenants.admin.site import site
from tenants.admin.visit import SESSION_KEY, Visit, keep_visit, scope_of, staff_id_of
from tenants.scope import ScopeDenied
from tenants.services.member_scope import member_scope, places_of
from tenants.services.open_scope import open_scope


class TenantScopeMiddleware:
    """Read session, user and memberships, then run the page in the tenant's scope, its template included.

    The last of the middlewares: inside the scope the login's own rights are gone, so what the others read of the
    session and the user must be read before, and what they write is written after.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Go on; the work is in process_view, which knows the page."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        """Answer a page of the admin from inside the scope; leave every other one to Django."""
        match = request.resolver_match
        if match is None or match.namespaces[:1] != [site.name]:
            return None
        _refuse_nul(request)
        if not site.has_permission(request):
            return None  # nobody is signed in, and the page itself asks to
        visit = _visit(request)
        keep_visit(request, visit)
        door = door_of(view, match.url_name)
        try:
            if door is Door.OUTSIDE:
                return None
            if visit.scope is None:
                return redirect(f"{site.name}:choose_tenant")
            if door is Door.OWN:
                return _answer(request, view, args, kwargs)
            with open_scope(scope_of(request)):
                return _answer(request, view, args, kwargs)
        except ScopeDenied as denied:
            raise PermissionDenied(str(denied)) from denied


def _refuse_nul(request: HttpRequest) -> None:
    """Raise BadRequest for a query with NUL: no text in Postgres has one, so asking for it fails there."""
    if any("\0" in text for name, values in request.GET.lists() for text in (name, *values)):
        raise BadRequest("the query holds the NUL character")


def _visit(request: HttpRequest) -> Visit:
    """Return where the user may go, and the tenant in the session while the user is still a member of it."""
    places = tuple(places_of(staff_id_of(request)))
    chosen = request.session.get(SESSION_KEY)
    place = next((place for place in places if str(place.tenant_id) == chosen), None)
    if place is None:
        request.session.pop(SESSION_KEY, None)
        return Visit(places=places)
    request_id = str(request.META["mneme.request_id"])
    return Visit(places=places, place=place, scope=member_scope(place, request_id=request_id))


def _answer(
    request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> HttpResponseBase:
    """Return the page, rendered now: its template reads rows too."""
    response: HttpResponseBase = view(request, *args, **kwargs)
    render = getattr(response, "render", None)
    return render() if callable(render) else response
