"""`memories/{id}/`: read one, correct it, retract it."""

from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import MemoryAnswer
from memories.forms.correction import corrected
from memories.forms.memory import rendered
from memories.forms.memory_input import ChangesInput
from memories.services.get_memory import get_memory
from memories.services.retract import retract
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability


class MemoryView(APIView):
    """One memory, in any state."""

    ability = {
        "GET": Ability.MEMORIES_READ,
        "PATCH": Ability.MEMORIES_WRITE,
        "DELETE": Ability.MEMORIES_WRITE,
    }

    @documented(answer=MemoryAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Return the memory as it is, closed or not, with its version as ETag."""
        scope = request_scope(request)
        memory = get_memory(scope, memory_id)
        return Response(rendered(scope, memory), headers=etag(memory.version))

    @documented(
        answer=MemoryAnswer,
        body=ChangesInput,
        example={"importance": 0.9},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def patch(self, request: Request, memory_id: UUID) -> Response:
        """Correct the memory: a changed copy supersedes it; the answer is the copy, with its own id."""
        return corrected(request, memory_id, status=200)

    @documented(answer=None, status=204, headers=(IF_MATCH,), problems=(400, 401, 403, 404, 409, 412, 503))
    def delete(self, request: Request, memory_id: UUID) -> Response:
        """Retract the memory: it was never true. What it had superseded is believed again."""
        retract(request_scope(request), memory_id, if_match=if_match(request), now=timezone.now())
        return Response(status=204)
