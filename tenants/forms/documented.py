"""What the OpenAPI document says of a request: its body, its answers, and an example that works."""

from collections.abc import Callable, Mapping
from inspect import getdoc
from typing import Any

import regex
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

Method = Callable[..., Any]
_SENTENCE_END = regex.compile(r"(?<=\.) (?=[A-Z`])")

IDEMPOTENCY_KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="The same request again with the same key gives the same answer and adds nothing.",
)
IF_MATCH = OpenApiParameter(
    name="If-Match",
    location=OpenApiParameter.HEADER,
    description="The ETag that was read; 412 if the row has changed since.",
)
SUBJECT_ID = OpenApiParameter(
    name="subject_id",
    type=OpenApiTypes.UUID,
    location=OpenApiParameter.PATH,
    description="The id that GET subjects/?user_id= answers with; not the user_id itself.",
)


class Fault(serializers.Serializer[Any]):
    """One field at fault."""

    field = serializers.CharField(help_text="The field's path, with dots.")
    code = serializers.CharField()
    message = serializers.CharField(help_text="What is wrong and what to do.")


class Problem(serializers.Serializer[Any]):
    """RFC 9457 problem details."""

    type = serializers.CharField(help_text="A stable path, such as /problems/invalid/.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What to do.")
    errors = Fault(many=True)  # type: ignore[assignment]
    request_id = serializers.CharField()


_PROBLEMS = {
    400: "A field is wrong; errors says which and why.",
    401: "No live API key.",
    403: "Not with this key, or its tenant is suspended.",
    404: "Nothing there for this key.",
    409: "Another state than the request thinks: closed, taken, or an Idempotency-Key used for another request.",
    410: "What this Idempotency-Key made is gone.",
    412: "If-Match: the row has changed.",
    429: "A quota of the key is used up, too many dead keys were tried, or too much waits; wait Retry-After seconds.",
    503: "A service behind this one did not answer; try again.",
}
_EVERYWHERE = (403, 429)
"""A tenant may be suspended, and a quota spent, whatever is asked."""


def documented(
    *,
    answer: Any,
    body: Any = None,
    query: Any = None,
    status: int = 200,
    again: bool = False,
    later: Any = None,
    example: Mapping[str, Any] | None = None,
    headers: tuple[OpenApiParameter, ...] = (),
    problems: tuple[int, ...] = (400, 401, 403, 503),
    operation: str | None = None,
) -> Callable[[Method], Method]:
    """Return a decorator of a view's method; its docstring is the description, the first sentence the summary.

    answer, body, query: serializers, or None. example: a body that works on a fresh tenant.
    later: what is answered with 202 where the worker does it.
    again: where what was sent is there already, that is answered, with 200.
    operation: the operation's id where the path's own would stand twice.
    """
    examples = [OpenApiExample("example", value=dict(example), request_only=True)] if example is not None else []
    responses: dict[Any, Any] = {
        status: OpenApiResponse(answer) if answer is not None else OpenApiResponse(description="Done."),
        **({200: OpenApiResponse(answer, description="It was there already.")} if again else {}),
        **({202: OpenApiResponse(later, description="It is much: follow the job.")} if later is not None else {}),
        **{
            (code, "application/problem+json"): OpenApiResponse(Problem, description=_PROBLEMS[code])
            for code in sorted({*problems, *_EVERYWHERE})
        },
    }

    def decorate(method: Method) -> Method:
        described: Method = extend_schema(
            operation_id=operation,
            summary=first_sentence(getdoc(method) or ""),
            request=body,
            parameters=[*([query] if query is not None else []), *headers],
            responses=responses,
            examples=examples,
        )(method)
        return described

    return decorate


def first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring on one line, without its full stop."""
    return _SENTENCE_END.split(" ".join(docstring.split()), maxsplit=1)[0].removesuffix(".")


class ExternalIdSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """The caller's ids."""

    target_class = "tenants.forms.strict.ExternalIdField"

    def map_serializer_field(self, *_: Any) -> dict[str, Any]:
        """Return the schema of an id."""
        return {"type": "string", "minLength": 1, "maxLength": 255}


class TextSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Text kept exactly."""

    target_class = "tenants.forms.strict.TextField"

    def map_serializer_field(self, *_: Any) -> dict[str, Any]:
        """Return the schema of a text."""
        return {"type": "string", "maxLength": self.target.max_length}


class MomentSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Moments with an offset."""

    target_class = "tenants.forms.strict.MomentField"

    def map_serializer_field(self, *_: Any) -> dict[str, Any]:
        """Return the schema of a moment."""
        return {"type": "string", "format": "date-time", "description": "ISO 8601 with an offset."}


class ItemSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """An item that has a form of its own."""

    target_class = "tenants.forms.strict.ItemField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the schema of that form."""
        component = auto_schema.resolve_serializer(self.target.of, direction)
        reference: dict[str, Any] = component.ref
        return reference


class ApiKeySchema(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The API key."""

    target_class = "tenants.api.authentication.ApiKeyAuthentication"
    name = "ApiKey"

    def get_security_definition(self, *_: Any) -> dict[str, Any]:
        """Return the scheme of the Authorization header."""
        return {"type": "http", "scheme": "bearer", "description": "An API key of the tenant, or of one user of it."}
