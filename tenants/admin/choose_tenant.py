"""The page where a user chooses the tenant to work in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tenants.admin.doors import outside
from tenants.admin.site import site
from tenants.admin.visit import SESSION_KEY, staff_id_of, visit_of
from tenants.services.enter_tenant import enter_tenant
from tenants.services.member_scope import member_scope
from tenants.services.note_refusal import note_refused_tenant


@outside
@require_http_methods(["GET", "HEAD", "POST"])
def choose_tenant(request: HttpRequest) -> HttpResponse:
    """List the tenants of the user's memberships; keep the one chosen in the session."""
    visit = visit_of(request)
    wanted = request.POST.get("tenant_id")
    place = next((place for place in visit.places if str(place.tenant_id) == wanted), None)
    if place is not None:
        scope = member_scope(place, request_id=str(request.META["mneme.request_id"]))
        enter_tenant(scope, now=timezone.now())
        request.session[SESSION_KEY] = str(place.tenant_id)
        return redirect("admin:index")
    if wanted is not None:
        request_id = str(request.META["mneme.request_id"])
        note_refused_tenant(staff_id_of(request), request_id=request_id, now=timezone.now())
    context = {
        **site.each_context(request),
        "title": "Choose a tenant",
        "places": visit.places,
        "chosen": visit.place,
        "may_create": request.user.is_superuser,
    }
    return TemplateResponse(request, "admin/choose_tenant.html", context)
