"""`turns/`: archive one turn and make its episode."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import TurnAnswer
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.forms.turn import TurnInput, new_turn, rendered
from memories.services.engine import embedder
from memories.services.record import record
from tenants.forms.documented import IDEMPOTENCY_KEY, documented
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability
from tenants.services.spend import Quota, give_back, spending


class Turns(APIView):
    """Turns of conversations."""

    ability = Ability.TURNS_WRITE

    @documented(
        answer=TurnAnswer,
        body=TurnInput,
        status=201,
        example={"user_id": "ada", "session_id": "chat-1", "content": "I moved from Bristol to Edinburgh."},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 409, 503),
    )
    def post(self, request: Request) -> Response:
        """Record one turn; 201 means it is archived and recallable by the next request."""
        now = timezone.now()
        form = TurnInput(data=request.data)
        form.is_valid(raise_exception=True)
        scope, idempotency = request_scope(request), idempotency_of(request)
        turn = new_turn(form.validated_data, now=now)
        with spending(scope, Quota.TURNS, 1, now=now):
            recorded = record(scope, [turn], embedder=embedder(), idempotency=idempotency, now=now)
        if recorded.replayed:
            give_back(scope, Quota.TURNS, 1)
        headers = {REPLAYED: "true"} if recorded.replayed else {}
        return Response(rendered(recorded.turns[0]), status=201, headers=headers)
