"""Errors as RFC 9457 problem details: each anticipated one by its kind, the others as a fault of ours."""

import logging
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.db import IntegrityError, ProgrammingError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from psycopg.errors import CheckViolation, InsufficientPrivilege
from rest_framework import exceptions
from rest_framework.response import Response

from memories.services.references import UnknownReference
from memory_site.problem_kinds import BAD_REQUEST, BEING_ERASED, KINDS, Kind
from tenants.admin.visit import visit_of
from tenants.forms.strict import FAULTS_MAX
from tenants.policy_key import PolicyInvalid
from tenants.scope import SCOPE_IN_META, FieldDenied, Scope, ScopeDenied
from tenants.services.issue_key import KeyNotIssuable
from tenants.services.note_refusal import note_refusal
from tenants.services.spend import QuotaSpent

log = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"
NAME_MAX_LENGTH = 200
DETAIL_MAX_LENGTH = 1_000
_FIELD_CODES: dict[type[Exception], str] = {
    UnknownReference: "unknown",
    FieldDenied: "denied",
    KeyNotIssuable: "invalid",
    PolicyInvalid: "invalid",
}
RETRY_AFTER_S = 2
"""Where the error does not say itself."""


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem of an anticipated error; None leaves it to server_error, which logs it."""
    kind = next((kind for expected, kind in KINDS if isinstance(error, expected)), None)
    if isinstance(error, IntegrityError) and isinstance(error.__cause__, CheckViolation):
        kind = None  # no race: the database refused what our own checks should have
    if isinstance(error, ProgrammingError) and isinstance(error.__cause__, InsufficientPrivilege):
        log.warning("refused by the walls: %s", error)
        kind = BEING_ERASED
    if kind is None:
        return None
    body = problem(kind, _request_id(context["request"]), detail=kind.detail or str(error))
    if isinstance(error, exceptions.ValidationError):
        body["errors"] = list(islice(_faults(error.detail), FAULTS_MAX))
    if isinstance(error, UnknownReference | FieldDenied | KeyNotIssuable | PolicyInvalid):
        code = _FIELD_CODES[type(error)]
        body["errors"] = [{"field": error.field, "code": code, "message": error.message}]
    _note(error, context["request"])
    return Response(body, status=kind.status, content_type=CONTENT_TYPE, headers=_headers(error, kind))


def _headers(error: Exception, kind: Kind) -> dict[str, str]:
    """Return what an answer says beside its body: which credential is wanted, or how long to wait."""
    challenge = getattr(error, "auth_header", None)
    standard = RETRY_AFTER_S if kind.status == HTTPStatus.SERVICE_UNAVAILABLE else None
    wait_s = getattr(error, "retry_after_s", standard)
    headers = {"WWW-Authenticate": challenge, "Retry-After": str(wait_s) if wait_s is not None else None}
    return {name: value for name, value in headers.items() if value}


def _note(error: Exception, request: Any) -> None:
    """Put on the tenant's record that a key asked for what it may not do, or for more than it may."""
    scope: Scope | None = request.META.get(SCOPE_IN_META)
    match = request.resolver_match
    if scope is None or match is None:
        return
    what = f"{request.method} {match.route}"
    if isinstance(error, QuotaSpent):
        note_refusal(scope, "quota.spent", code=error.quota, what=what, now=timezone.now())
    elif isinstance(error, ScopeDenied):
        note_refusal(scope, "access.refused", code="denied", what=what, now=timezone.now())


def bad_request(request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    """Answer what Django itself refuses, such as a Host that is not ours."""
    return _answer(BAD_REQUEST, request, detail="The request cannot be served; look at its Host, path and headers.")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what a user's role does not allow, and put it on the record; only the admin's pages end here."""
    scope, match = visit_of(request).scope, request.resolver_match
    if scope is not None and match is not None:
        what = f"{request.method} {match.route}"
        note_refusal(scope, "access.refused", code="role", what=what, now=timezone.now())
    return render(
        request, "admin/refused.html", {"said": "Your role in this tenant does not allow this."}, status=403
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer a path that leads nowhere."""
    if request.path.startswith(reverse("admin:index")):
        return render(request, "admin/refused.html", {"said": "There is nothing here."}, status=404)
    kind = Kind(type="not-found", status=HTTPStatus.NOT_FOUND)
    return _answer(kind, request, detail="There is nothing here; look the path up again (it ends in a slash).")


def method_not_allowed(request: HttpRequest, allowed: Sequence[str]) -> JsonResponse:
    """Answer a method that a path outside the API does not take."""
    kind = Kind(type="method-not-allowed", status=HTTPStatus.METHOD_NOT_ALLOWED)
    response = _answer(kind, request, detail=f"This path takes {' and '.join(allowed)}.")
    response["Allow"] = ", ".join(allowed)
    return response


def server_error(request: HttpRequest) -> JsonResponse:
    """Answer an error that nobody anticipated; its text stays in the log."""
    kind = Kind(type="internal", status=HTTPStatus.INTERNAL_SERVER_ERROR)
    return _answer(kind, request, detail="This is a fault of ours; tell us the request_id.")


def problem(kind: Kind, request_id: str, *, detail: str) -> dict[str, Any]:
    """Return the body of a problem."""
    return {
        "type": f"/problems/{kind.type}/",
        "title": kind.status.phrase,
        "status": int(kind.status),
        "detail": _clipped(detail, DETAIL_MAX_LENGTH),
        "errors": [],
        "request_id": request_id,
    }


def _answer(kind: Kind, request: HttpRequest, *, detail: str) -> JsonResponse:
    body = problem(kind, _request_id(request), detail=detail)
    return JsonResponse(body, status=kind.status, content_type=CONTENT_TYPE)


def _request_id(request: Any) -> str:
    return str(request.META.get("mneme.request_id", ""))


def _faults(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
    """Yield one entry a fault: the field's path with dots, a code, and what to do."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _faults(inner, ".".join(part for part in (field, own) if part))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            if not nested or inner:
                yield from _faults(inner, f"{field}.{index}" if nested else field)
    else:
        message = _clipped(str(detail), DETAIL_MAX_LENGTH)
        yield {
            "field": _clipped(field, NAME_MAX_LENGTH),
            "code": getattr(detail, "code", "invalid"),
            "message": message,
        }


def _clipped(text: str, length: int) -> str:
    """Return a text with its end left out if it is long: it may be the caller's own, of any length."""
    return text if len(text) <= length else f"{text[:length]}…"
