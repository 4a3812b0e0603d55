"""`memories/{id}/…/`: correct, invalidate, restore, history, source."""

from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import HistoryAnswer, MemoryAnswer, ProvenanceAnswer
from memories.forms.correction import corrected
from memories.forms.memory import rendered
from memories.forms.memory_input import ChangesInput
from memories.forms.provenance import rendered_step
from memories.services.history import history
from memories.services.invalidate import invalidate
from memories.services.restore import restore
from memories.services.walk import walk
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import MomentField, StrictSerializer
from tenants.scope import Ability


class Correct(APIView):
    """The memory was written wrong."""

    ability = Ability.MEMORIES_WRITE

    @documented(
        answer=MemoryAnswer,
        body=ChangesInput,
        status=201,
        example={"text": "Ada lives in Leith, Edinburgh"},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Supersede it by a copy with the changed fields, and return the copy."""
        return corrected(request, memory_id, status=201)


class Invalidate(APIView):
    """The memory was true, and ended."""

    ability = Ability.MEMORIES_WRITE

    class InvalidateInput(StrictSerializer):
        """When it ended; left out = now."""

        at = MomentField(required=False)

    @documented(
        answer=MemoryAnswer,
        body=InvalidateInput,
        status=201,
        example={},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Supersede it by a copy that is true until then, and return the copy."""
        form = self.InvalidateInput(data=request.data)
        form.is_valid(raise_exception=True)
        now, scope = timezone.now(), request_scope(request)
        at = form.validated_data.get("at", now)
        copy = invalidate(scope, memory_id, at=at, if_match=if_match(request), now=now)
        return Response(rendered(scope, copy), status=201, headers=etag(copy.version))


class Restore(APIView):
    """The memory was closed by mistake."""

    ability = Ability.MEMORIES_WRITE

    @documented(answer=MemoryAnswer, status=201, headers=(IF_MATCH,), problems=(400, 401, 403, 404, 409, 412, 503))
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Believe it again as a copy, and return the copy."""
        form = StrictSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        scope = request_scope(request)
        copy = restore(scope, memory_id, if_match=if_match(request), now=timezone.now())
        return Response(rendered(scope, copy), status=201, headers=etag(copy.version))


class History(APIView):
    """How the memory came to be what it is."""

    ability = Ability.MEMORIES_READ

    @documented(answer=HistoryAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Return every row of its chain, oldest first, and by which verb each was replaced."""
        scope = request_scope(request)
        return Response(
            {
                "versions": [
                    {**rendered(scope, version.memory), "replaced_by_verb": version.replaced_by_verb}
                    for version in history(scope, memory_id)
                ]
            }
        )


class SourceView(APIView):
    """What the memory rests on."""

    ability = Ability.PROVENANCE_READ

    @documented(answer=ProvenanceAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Return every edge down to the spans of the raw turns; `intact` is false where a turn was altered."""
        steps = walk(request_scope(request), memory_id)
        return Response({"memory_id": str(memory_id), "sources": [rendered_step(step) for step in steps]})
