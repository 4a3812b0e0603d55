"""A correction as it comes in, by PATCH or by its verb."""

from uuid import UUID

from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from memories.forms.memory import rendered
from memories.forms.memory_input import ChangesInput
from memories.services.correct import correct
from tenants.forms.if_match import etag, if_match
from tenants.forms.request_scope import request_scope


def corrected(request: Request, memory_id: UUID, *, status: int) -> Response:
    """Supersede a memory by a copy with the fields of the request, and answer with the copy."""
    form = ChangesInput(data=request.data)
    form.is_valid(raise_exception=True)
    if not form.validated_data:
        raise ValidationError("send at least one field to change")
    scope = request_scope(request)
    copy = correct(scope, memory_id, form.validated_data, if_match=if_match(request), now=timezone.now())
    return Response(rendered(scope, copy), status=status, headers=etag(copy.version))
