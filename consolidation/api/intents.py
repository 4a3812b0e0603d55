"""`intents/`: retrieve, store, update and forget in words."""

from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.intents import IntentAnswer, IntentReceiptAnswer, rendered_intent, rendered_undone
from consolidation.models.receipt import ReceiptKind
from consolidation.services.intend import Wish, intend
from consolidation.services.told import told_of
from consolidation.services.undo import undo
from memories.forms.idempotency import REPLAYED, idempotency_of
from memories.models.memory import MEMORY_TEXT_MAX_LENGTH
from memories.services.language_model import language_model
from tenants.forms.documented import IDEMPOTENCY_KEY, documented
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer, TextField
from tenants.scope import Ability
from tenants.services.spend import Quota, spend


class Intents(APIView):
    """Wishes of a user about his or her own memory."""

    ability = Ability.MEMORIES_READ

    class IntentInput(StrictSerializer):
        """One wish, in English or Chinese."""

        text = TextField(max_length=MEMORY_TEXT_MAX_LENGTH)
        user_id = ExternalIdField(required=False, help_text="Whose memory; a user's own key leaves it out.")
        memory_id = serializers.UUIDField(required=False, help_text="Which one is meant, where several could be.")
        confirm = serializers.BooleanField(default=False, help_text="Forget all that match, if there are several.")
        dry_run = serializers.BooleanField(default=False, help_text="Only say what would be done.")

    @documented(
        answer=IntentAnswer,
        body=IntentInput,
        example={"user_id": "ada", "text": "Forget that I like blue, I like green"},
        headers=(IDEMPOTENCY_KEY,),
        problems=(400, 401, 403, 404, 409, 410, 503),
    )
    def post(self, request: Request) -> Response:
        """Do what is asked of the memory in words, and say in plain words and ids what was done.

        In English or in Chinese: "What do you know about my job?", "Remember that …", "My address is no longer …".
        Changing anything needs `memories:write`. Where several memories could be meant nothing is done, and they are
        listed in `candidates`. What was changed can be undone. The same request again, under the same
        Idempotency-Key, changes nothing twice; one that changed nothing is done anew.
        """
        form = self.IntentInput(data=request.data)
        form.is_valid(raise_exception=True)
        now, scope, wish = timezone.now(), request_scope(request), Wish(**form.validated_data)
        spend(scope, Quota.RECALLS, now=now)
        intended = intend(scope, wish, llm=language_model(), idempotency=idempotency_of(request), now=now)
        headers = {REPLAYED: "true"} if intended.replayed else {}
        return Response(rendered_intent(scope, intended, text=wish.text, dry_run=wish.dry_run), headers=headers)


class UndoIntent(APIView):
    """It was not meant so."""

    ability = Ability.MEMORIES_WRITE

    @documented(answer=IntentReceiptAnswer, operation="intents_undo", problems=(400, 401, 403, 404, 409, 503))
    def post(self, request: Request, intent_id: UUID) -> Response:
        """Take back what an intent changed: what was forgotten is believed again, as a copy."""
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        scope = request_scope(request)
        undone = undo(scope, ReceiptKind.INTENT, intent_id, now=timezone.now())
        return Response(rendered_undone(undone.receipt, told_of(scope, undone.receipt), undone.left))
