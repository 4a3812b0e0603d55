"""A visit: who is signed in, where that user may go, and the tenant chosen."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from tenants.scope import Ability, Scope
from tenants.services.member_scope import Place

SESSION_KEY = "tenant_id"
_META_KEY = "mneme.visit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request of a signed-in user of the admin.

    places: the tenants the user is a member of. place, scope: of the one chosen; None before the choice.
    """

    places: tuple[Place, ...]
    place: Place | None = None
    scope: Scope | None = None


_NOWHERE = Visit(places=())


def keep_visit(request: HttpRequest, visit: Visit) -> None:
    """Keep the visit with its request."""
    request.META[_META_KEY] = visit


def visit_of(request: HttpRequest) -> Visit:
    """Return the visit of a request; one without places where nobody is signed in."""
    visit: Visit = request.META.get(_META_KEY, _NOWHERE)
    return visit


def staff_id_of(request: HttpRequest) -> int:
    """Return the id of the signed-in user; raise PermissionDenied where there is none."""
    if request.user.pk is None:
        raise PermissionDenied
    return request.user.pk


def scope_of(request: HttpRequest) -> Scope:
    """Return the scope of the chosen tenant; raise PermissionDenied where there is none."""
    scope = visit_of(request).scope
    if scope is None:
        raise PermissionDenied
    return scope


def may(request: HttpRequest, ability: Ability) -> bool:
    """Say whether the user's role in the chosen tenant has an ability."""
    scope = visit_of(request).scope
    return scope is not None and ability in scope.abilities
