"""A request id on every request, answer and event."""

from collections.abc import Callable

import regex
from django.http import HttpRequest, HttpResponse

from tenants.ids import uuid7

HEADER = "X-Request-ID"
_ACCEPTED = regex.compile(r"[A-Za-z0-9._-]{1,64}")


def accepted(given: str) -> str:
    """Return the id that a caller gave when it is harmless, else a new one."""
    return given if _ACCEPTED.fullmatch(given) else str(uuid7())


class RequestIdMiddleware:
    """Take the caller's X-Request-ID when it is harmless, else make one, and send it back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Give the request its id, and the answer the same one."""
        request_id = accepted(request.headers.get(HEADER, ""))
        request.META["mneme.request_id"] = request_id
        response = self.get_response(request)
        response[HEADER] = request_id
        return response
