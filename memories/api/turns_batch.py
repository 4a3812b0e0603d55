"""`turns/batch/`: archive up to 500 turns in order, all or none."""

from typing import Any

from django.utils import timezone
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import TurnsAnswer
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.forms.turn import TurnInput, new_turn, rendered
from memories.services.engine import embedder
from memories.services.record import NewTurn, record
from tenants.forms.documented import IDEMPOTENCY_KEY, documented
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ItemField, ShortListField, StrictSerializer
from tenants.scope import Ability
from tenants.services.spend import Quota, give_back, spending

BATCH_MAX_TURNS = 500


class BatchInput(StrictSerializer):
    """Turns in the order they were said."""

    turns = ShortListField(child=ItemField(of=TurnInput), min_length=1, max_length=BATCH_MAX_TURNS)


class TurnsBatch(APIView):
    """Many turns in one request."""

    ability = Ability.TURNS_WRITE

    @documented(
        answer=TurnsAnswer,
        body=BatchInput,
        status=201,
        example={
            "turns": [{"user_id": "ada", "session_id": "chat-1", "content": "I moved from Bristol to Edinburgh."}]
        },
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 409, 429, 503),
    )
    def post(self, request: Request) -> Response:
        """Record the turns in one transaction; 201 means that all are archived."""
        now = timezone.now()
        form = BatchInput(data=request.data)
        form.is_valid(raise_exception=True)
        faults: dict[str, Any] = {}
        turns: list[NewTurn] = []
        for index, sent in enumerate(form.validated_data["turns"]):
            try:
                turn = TurnInput(data=sent)
                turn.is_valid(raise_exception=True)
                turns.append(new_turn(turn.validated_data, now=now))
            except ValidationError as error:
                faults[f"turns.{index}"] = error.detail
        if faults:
            raise ValidationError(faults)
        scope, idempotency = request_scope(request), idempotency_of(request)
        with spending(scope, Quota.TURNS, len(turns), now=now):
            recorded = record(scope, turns, embedder=embedder(), idempotency=idempotency, in_batch=True, now=now)
        if recorded.replayed:
            give_back(scope, Quota.TURNS, len(turns))
        headers = {REPLAYED: "true"} if recorded.replayed else {}
        return Response({"turns": [rendered(turn) for turn in recorded.turns]}, status=201, headers=headers)
