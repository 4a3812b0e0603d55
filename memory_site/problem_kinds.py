"""The table of errors: every anticipated error, its status and its stable type."""

from dataclasses import dataclass
from http import HTTPStatus

from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.db import IntegrityError, OperationalError
from django.http import Http404
from rest_framework import exceptions

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
from tenants.forms.body_limit import BodyTooLong
from tenants.forms.subject_id import NoSubjectId
from tenants.policy_key import PolicyInvalid
from tenants.scope import ScopeDenied
from tenants.services.admit_key import TooManyRefused
from tenants.services.authenticate import KeyRefused, TenantSuspended
from tenants.services.change_policy import PolicyStale
from tenants.services.change_template import TemplateStale
from tenants.services.issue_key import KeyNotIssuable
from tenants.services.rotate_key import KeyNotLive
from tenants.services.spend import QuotaSpent


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
