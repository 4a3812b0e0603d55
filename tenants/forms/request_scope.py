"""The scope of a request."""

from rest_framework.request import Request

from tenants.forms.hidden import hidden_in
from tenants.scope import FieldDenied, Scope, ScopeDenied


def request_scope(request: Request) -> Scope:
    """Return the scope that authentication made.

    Raises ScopeDenied for a request without one; FieldDenied, when it writes, changes or filters by a field that is
    hidden from it.
    """
    scope: object = request.auth
    if not isinstance(scope, Scope):
        raise ScopeDenied("this needs an API key")
    if scope.hidden_fields:
        named = hidden_in({**request.query_params.dict(), **_body(request)}, scope.hidden_fields)
        for field in named:
            raise FieldDenied(field, "is hidden from the key, which neither writes nor filters by it")
    return scope


def _body(request: Request) -> dict[str, object]:
    return request.data if request.method != "GET" and isinstance(request.data, dict) else {}
