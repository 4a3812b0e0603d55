"""The scope of a request."""

from rest_framework.request import Request

from tenants.scope import Scope, ScopeDenied


def request_scope(request: Request) -> Scope:
    """Return the scope that authentication made; raise ScopeDenied for a request without one."""
    scope: object = request.auth
    if not isinstance(scope, Scope):
        raise ScopeDenied("this needs an API key")
    return scope
