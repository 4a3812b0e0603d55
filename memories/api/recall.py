"""`recall/`: one question, the few memories that matter, each with its source."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backends.search import names
from memories.forms.answers import RecallAnswer
from memories.forms.filters import FiltersField
from memories.forms.hit import rendered
from memories.metrics import DEGRADED
from memories.services.engine import embedder, search_engine
from memories.services.question import Question
from memories.services.recall import recall
from tenants.forms.documented import documented
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, MomentField, ShortListField, StrictSerializer, TextField
from tenants.scope import Ability
from tenants.services.spend import Quota, spend

QUERY_MAX_LENGTH = 4_000
TOP_K_MAX = 100


class RecallInput(StrictSerializer):
    """One question."""

    spellings = {"limit": "top_k"}

    query = TextField(max_length=QUERY_MAX_LENGTH)
    user_id = ExternalIdField(required=False)
    top_k = serializers.IntegerField(min_value=1, max_value=TOP_K_MAX, default=10)
    memory_types = ShortListField(
        child=serializers.ChoiceField(choices=names.KINDS), min_length=1, max_length=len(names.KINDS), required=False
    )
    include_catalog = serializers.BooleanField(default=True)
    include_superseded = serializers.BooleanField(default=False)
    include_shared = serializers.BooleanField(
        default=True, help_text="false leaves out what was written without a user_id and so belongs to all users."
    )
    as_of = MomentField(required=False)
    valid_at = MomentField(required=False)
    filters = FiltersField(required=False)
    explain = serializers.BooleanField(default=False)
    overlay = serializers.BooleanField(
        default=True,
        help_text="Look also at what was written a moment ago and the search engine cannot show yet. false asks the "
        "engine alone, which is for measuring it.",
    )


class Recall(APIView):
    """The question an agent asks before it answers."""

    ability = Ability.MEMORIES_READ

    @documented(
        answer=RecallAnswer, body=RecallInput, example={"user_id": "ada", "query": "Where does Ada live?", "top_k": 5}
    )
    def post(self, request: Request) -> Response:
        """Return the best memories, best first; an empty answer says why."""
        form = RecallInput(data=request.data)
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        scope, now = request_scope(request), timezone.now()
        spend(scope, Quota.RECALLS, now=now)
        recalled = recall(
            scope,
            Question(
                query=asked["query"],
                user_id=asked.get("user_id"),
                top_k=asked["top_k"],
                memory_types=tuple(asked["memory_types"]) if "memory_types" in asked else None,
                include_catalog=asked["include_catalog"],
                include_superseded=asked["include_superseded"],
                include_shared=asked["include_shared"],
                as_of=asked.get("as_of"),
                valid_at=asked.get("valid_at"),
                filters=asked.get("filters"),
                overlay=asked["overlay"],
            ),
            engine=search_engine(),
            embedder=embedder(),
            now=now,
        )
        for part in recalled.degraded:
            DEGRADED.labels(part).inc()
        return Response(rendered(scope, recalled, explain=asked["explain"]))
