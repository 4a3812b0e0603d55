"""Authentication of API requests: `Authorization: Bearer <key>`."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tenants.scope import Scope
from tenants.services.authenticate import KeyRefused, authenticate

_HINT = "Send a live key as 'Authorization: Bearer <key>'."


class ApiKeyAuthentication(BaseAuthentication):
    """Turn the bearer key into a Scope, found as request.auth."""

    def authenticate(self, request: Request) -> tuple[None, Scope]:
        """Return the scope of the key; every request needs one."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise AuthenticationFailed(f"No API key was sent. {_HINT}")
        try:
            scope = authenticate(secret.strip(), request_id=request.META["mneme.request_id"], now=timezone.now())
        except KeyRefused as error:
            raise AuthenticationFailed(f"The API key was not accepted. {_HINT}") from error
        return None, scope

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that makes a missing key a 401."""
        return 'Bearer realm="mneme"'
