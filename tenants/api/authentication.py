"""Authentication of API requests: `Authorization: Bearer <key>`."""

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tenants.scope import SCOPE_IN_META, Scope
from tenants.services.admit_key import admit_key
from tenants.services.authenticate import KeyRefused
from tenants.services.spend import Quota, spend

_HINT = "Send a live key as 'Authorization: Bearer <key>'."


class ApiKeyAuthentication(BaseAuthentication):
    """Turn the bearer key into a Scope, found as request.auth."""

    def authenticate(self, request: Request) -> tuple[None, Scope]:
        """Return the scope of the key, which every request needs and counts against.

        Raises AuthenticationFailed, TenantSuspended, TooManyRefused, QuotaSpent.
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            raise AuthenticationFailed(f"No API key was sent. {_HINT}")
        now = timezone.now()
        try:
            scope = admit_key(
                secret.strip(),
                address=request.META.get("REMOTE_ADDR", ""),
                request_id=request.META["mneme.request_id"],
                now=now,
            )
        except KeyRefused as error:
            raise AuthenticationFailed(f"The API key was not accepted. {_HINT}") from error
        request.META[SCOPE_IN_META] = scope
        spend(scope, Quota.REQUESTS, now=now)
        return None, scope

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge that makes a missing key a 401."""
        return 'Bearer realm="mneme"'
