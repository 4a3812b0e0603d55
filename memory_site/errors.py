"""The table of errors: every anticipated error, its status and its stable type, as RFC 9457 problem details."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import IntegrityError, OperationalError, ProgrammingError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from psycopg.errors import CheckViolation, InsufficientPrivilege
from rest_framework import exceptions
from rest_framework.response import Response

from backends.errors import BackendError
from consolidation.services.merge import NotMergeable
from consolidation.services.review import ReviewClosed
from consolidation.services.undo import AlreadyUndone
from memories.services.append_turns import SubjectGone
from memories.services.changeable import StaleVersion
from memories.services.conflicts import SlotTaken, TextTaken
from memories.services.entities import EntityExists
from memories.services.find_memory import MemoryNotOpen
from memories.services.golden import TooManyGolden
from memories.services.idempotency import AnswerGone, KeyReused
from memories.services.learn import NotSure
from memories.services.references import UnknownReference
from memories.services.room import BacklogFull
from tenants.admin.visit import visit_of
from tenants.forms.body_limit import BodyTooLong
from tenants.forms.strict import FAULTS_MAX
from tenants.forms.subject_id import NoSubjectId
from tenants.policy_key import PolicyInvalid
from tenants.scope import SCOPE_IN_META, FieldDenied, Scope, ScopeDenied
from tenants.services.admit_key import TooManyRefused
from tenants.services.authenticate import KeyRefused, TenantSuspended
from tenants.services.change_policy import PolicyStale
from tenants.services.change_template import TemplateStale
from tenants.services.issue_key import KeyNotIssuable
from tenants.services.note_refusal import note_refusal
from tenants.services.rotate_key import KeyNotLive
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of problem. detail: None takes the error's own message, which is written for callers."""

    type: str
    status: HTTPStatus
    detail: str | None = None


BAD_REQUEST = Kind(type="bad-request", status=HTTPStatus.BAD_REQUEST)
TOO_LONG = Kind(type="too-long", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

KINDS: tuple[tuple[type[Exception], Kind], ...] = (
    (exceptions.ValidationError, Kind(type="invalid", status=HTTPStatus.BAD_REQUEST,
                                      detail="Mend the fields named in errors and send the request again.")),
    (exceptions.ParseError, Kind(type="unreadable", status=HTTPStatus.BAD_REQUEST)),
    (exceptions.AuthenticationFailed, Kind(type="unauthenticated", status=HTTPStatus.UNAUTHORIZED)),
    (exceptions.NotAuthenticated, Kind(type="unauthenticated", status=HTTPStatus.UNAUTHORIZED)),
    (KeyRefused, Kind(type="unauthenticated", status=HTTPStatus.UNAUTHORIZED,
                      detail="The API key was not accepted.")),
    (TenantSuspended, Kind(type="tenant-suspended", status=HTTPStatus.FORBIDDEN)),
    (QuotaSpent, Kind(type="quota-spent", status=HTTPStatus.TOO_MANY_REQUESTS)),
    (TooManyRefused, Kind(type="too-many-refused", status=HTTPStatus.TOO_MANY_REQUESTS)),
    (exceptions.PermissionDenied, Kind(type="denied", status=HTTPStatus.FORBIDDEN)),
    (ScopeDenied, Kind(type="denied", status=HTTPStatus.FORBIDDEN)),
    (NoSubjectId, Kind(type="not-found", status=HTTPStatus.NOT_FOUND)),
    (Http404, Kind(type="not-found", status=HTTPStatus.NOT_FOUND,
                   detail="There is nothing here; look the path and the ids up again.")),
    (exceptions.MethodNotAllowed, Kind(type="method-not-allowed", status=HTTPStatus.METHOD_NOT_ALLOWED)),
    (exceptions.UnsupportedMediaType, Kind(type="media-type", status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                                           detail="Send the body as application/json in UTF-8.")),
    (BodyTooLong, TOO_LONG),
    (RequestDataTooBig, Kind(type="too-long", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                             detail="The body is longer than this site takes; send less at a time.")),
    (exceptions.NotAcceptable, Kind(type="not-acceptable", status=HTTPStatus.NOT_ACCEPTABLE,
                                    detail="This API answers in application/json.")),
    (KeyReused, Kind(type="idempotency-key-reused", status=HTTPStatus.CONFLICT)),
    (ObjectDoesNotExist, Kind(type="not-found", status=HTTPStatus.NOT_FOUND,
                              detail="There is nothing here; look the path and the ids up again.")),
    (UnknownReference, Kind(type="invalid", status=HTTPStatus.BAD_REQUEST)),
    (KeyNotIssuable, Kind(type="invalid", status=HTTPStatus.BAD_REQUEST)),
    (PolicyInvalid, Kind(type="invalid", status=HTTPStatus.BAD_REQUEST)),
    (KeyNotLive, Kind(type="key-not-live", status=HTTPStatus.CONFLICT)),
    (NotSure, Kind(type="invalid", status=HTTPStatus.BAD_REQUEST)),
    (MemoryNotOpen, Kind(type="not-open", status=HTTPStatus.CONFLICT)),
    (SlotTaken, Kind(type="slot-taken", status=HTTPStatus.CONFLICT)),
    (TextTaken, Kind(type="text-taken", status=HTTPStatus.CONFLICT)),
    (AlreadyUndone, Kind(type="undone", status=HTTPStatus.CONFLICT)),
    (ReviewClosed, Kind(type="review-closed", status=HTTPStatus.CONFLICT)),
    (StaleVersion, Kind(type="stale", status=HTTPStatus.PRECONDITION_FAILED)),
    (TemplateStale, Kind(type="stale", status=HTTPStatus.PRECONDITION_FAILED)),
    (PolicyStale, Kind(type="stale", status=HTTPStatus.PRECONDITION_FAILED)),
    (SubjectGone, Kind(type="conflict", status=HTTPStatus.CONFLICT)),
    (TooManyGolden, Kind(type="too-many-golden", status=HTTPStatus.CONFLICT)),
    (BacklogFull, Kind(type="backlog-full", status=HTTPStatus.TOO_MANY_REQUESTS)),
    (AnswerGone, Kind(type="gone", status=HTTPStatus.GONE)),
    (EntityExists, Kind(type="entity-exists", status=HTTPStatus.CONFLICT)),
    (NotMergeable, Kind(type="not-mergeable", status=HTTPStatus.CONFLICT)),
    (IntegrityError, Kind(type="conflict", status=HTTPStatus.CONFLICT,
                          detail="Another request changed what this one needs; read it again and decide anew.")),
    (OperationalError, Kind(type="unavailable", status=HTTPStatus.SERVICE_UNAVAILABLE,
                            detail="The database did not answer; try again in a few seconds.")),
    (BackendError, Kind(type="unavailable", status=HTTPStatus.SERVICE_UNAVAILABLE,
                        detail="A service behind this one did not answer; try again in a few seconds.")),
)  # fmt: skip


BEING_ERASED = Kind(
    type="conflict",
    status=HTTPStatus.CONFLICT,
    detail="The user's data changed hands while this was written, as when it is erased; send it again.",
)
"""A row that row-level security did not let in, although the request was allowed when it began."""


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
