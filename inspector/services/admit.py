"""Admit: who may watch a tenant's events. The one place of this room that knows keys, sessions and memberships."""

from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from tenants.models import Tenant
from tenants.scope import Ability, Scope, ScopeDenied
from tenants.services.admit_key import TooManyRefused, admit_key
from tenants.services.authenticate import KeyRefused, TenantSuspended
from tenants.services.member_scope import Place, member_scope, places_of
from tenants.services.note_refusal import note_refusal
from tenants.services.open_scope import open_scope
from tenants.services.spend import Quota, QuotaSpent, spend


class Unauthenticated(Exception):
    """Neither a live API key nor the session of a signed-in member of staff was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a caller shows: an API key, else a browser's session; and the slug of the tenant it asks for.

    slug: empty means the key's own tenant.
    """

    key: str = field(default="", repr=False)
    session_key: str = field(default="", repr=False)
    slug: str = ""
    address: str = ""
    request_id: str = ""


def admit(shown: Shown, *, now: datetime) -> Scope:
    """Return the scope in which the caller may watch.

    Raises Unauthenticated; ScopeDenied, when the key belongs to one user, lacks memories:read or is another
    tenant's, when the user is no member of the tenant, or when the tenant is suspended. Another tenant and none at
    all look alike.
    """
    if shown.key:
        return _key_scope(shown, now=now)
    user = _user_of(shown.session_key)
    if not user.is_authenticated:
        raise Unauthenticated
    return watching_scope(place_of(user, shown.slug), request_id=shown.request_id)


def count_request(scope: Scope, *, now: datetime) -> None:
    """Count what a socket asks for as a request of its key. Raises QuotaSpent, and puts it on the record."""
    try:
        spend(scope, Quota.REQUESTS, now=now)
    except QuotaSpent as spent:
        note_refusal(scope, "quota.spent", code=spent.quota, what="ws/events/", now=now)
        raise


def place_of(user: AbstractBaseUser | AnonymousUser, slug: str) -> Place:
    """Return the tenant of this slug that the user may enter; raise ScopeDenied where there is none."""
    for place in places_to_watch(user):
        if place.slug == slug:
            return place
    raise ScopeDenied("there is no such tenant, or you are no member of it")


def places_to_watch(user: AbstractBaseUser | AnonymousUser) -> list[Place]:
    """Return the tenants that a member of staff may enter; none for anybody else."""
    return places_of(int(user.pk)) if user.is_authenticated and getattr(user, "is_staff", False) else []


def watching_scope(place: Place, *, request_id: str) -> Scope:
    """Return the scope of a member; raise ScopeDenied, when the role may not read memories."""
    scope = member_scope(place, request_id=request_id)
    scope.require(Ability.MEMORIES_READ)
    if place.suspended_at is not None:
        raise ScopeDenied("the tenant is suspended")
    return scope


def _key_scope(shown: Shown, *, now: datetime) -> Scope:
    try:
        scope = admit_key(shown.key, address=shown.address, request_id=shown.request_id, now=now)
    except (KeyRefused, TooManyRefused) as error:
        raise Unauthenticated from error
    except TenantSuspended as error:
        raise ScopeDenied(str(error)) from error
    try:
        _refuse_blind(scope, shown)
    except ScopeDenied:
        note_refusal(scope, "access.refused", code="denied", what="ws/events/", now=now)
        raise
    return scope


def _refuse_blind(scope: Scope, shown: Shown) -> None:
    """Raise ScopeDenied for a key that may not watch."""
    scope.require(Ability.MEMORIES_READ)
    if scope.subject_id is not None:
        raise ScopeDenied("the key belongs to one user; events are watched with a key of the whole tenant")
    if shown.slug:
        with open_scope(scope):
            own = Tenant.objects.values_list("slug", flat=True).get(id=scope.tenant_id)
        if own != shown.slug:  # compared here: a caller's text may be one that Postgres takes in no statement
            raise ScopeDenied("there is no such tenant, or the key is not of it")


def _user_of(session_key: str) -> AbstractBaseUser | AnonymousUser:
    """Return who is signed in by a session, judged as Django does for a page: backend, password's hash, active."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key or None)
    return get_user(request)
