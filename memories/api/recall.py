"""`recall/`: one question, the few memories that matter, each with its source."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backends.search import names
from memories.forms.answers import RecallAnswer
from memories.forms.hit import rendered
from memories.forms.prompt import rendered_prompt
from memories.metrics import DEGRADED
from memories.prompt import DEFAULT_ITEMS
from memories.services.engine import embedder, search_engine, token_encoder
from memories.services.question import Question
from memories.services.recall import recall
from tenants.forms.documented import documented
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, MomentField, ShortListField, StrictSerializer, TextField
from tenants.scope import Ability
from tenants.services.spend import Quota, spend

QUERY_MAX_LENGTH = 4_000
TOP_K_MAX = 100
TOP_K = {"hits": 10, "prompt": DEFAULT_ITEMS}
MAX_TOKENS_MAX = 100_000


class FiltersInput(StrictSerializer):
    """Filters; each narrows the answer."""

    spellings = {"run_id": "session_id", "thread_id": "session_id"}

    session_id = ExternalIdField(required=False, help_text="Only of this conversation. Also: run_id, thread_id.")
    agent_id = ExternalIdField(required=False)


class RecallInput(StrictSerializer):
    """One question."""

    spellings = {"limit": "top_k"}

    query = TextField(max_length=QUERY_MAX_LENGTH)
    user_id = ExternalIdField(required=False)
    top_k = serializers.IntegerField(
        min_value=1, max_value=TOP_K_MAX, required=False, help_text="10, or 5 where the format is prompt."
    )
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
    filters = FiltersInput(required=False)
    threshold = serializers.FloatField(
        min_value=0.0,
        max_value=1.0,
        required=False,
        help_text="Leave out what scores less; an empty answer then has the reason below_threshold.",
    )
    format = serializers.ChoiceField(
        choices=["hits", "prompt"],
        default="hits",
        help_text="prompt adds a block of text for a model's prompt: grouped by kind, with dates, fenced as data.",
    )
    max_tokens = serializers.IntegerField(
        min_value=1, max_value=MAX_TOKENS_MAX, required=False, help_text="The budget of that block."
    )
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
        filters: dict[str, Any] = asked.get("filters", {})
        scope, now = request_scope(request), timezone.now()
        spend(scope, Quota.RECALLS, now=now)
        recalled = recall(
            scope,
            Question(
                query=asked["query"],
                user_id=asked.get("user_id"),
                top_k=asked.get("top_k", TOP_K[asked["format"]]),
                memory_types=tuple(asked["memory_types"]) if "memory_types" in asked else None,
                include_catalog=asked["include_catalog"],
                include_superseded=asked["include_superseded"],
                include_shared=asked["include_shared"],
                as_of=asked.get("as_of"),
                valid_at=asked.get("valid_at"),
                session_id=filters.get("session_id"),
                agent_id=filters.get("agent_id"),
                overlay=asked["overlay"],
                threshold=asked.get("threshold"),
            ),
            engine=search_engine(),
            embedder=embedder(),
            encoder=token_encoder(),
            now=now,
        )
        for part in recalled.degraded:
            DEGRADED.labels(part).inc()
        answer = rendered(scope, recalled, explain=asked["explain"])
        if asked["format"] == "prompt":
            answer["prompt"] = rendered_prompt(
                scope, recalled, question=asked["query"], max_tokens=asked.get("max_tokens")
            )
        return Response(answer)
