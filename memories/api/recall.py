"""`recall/`: one question, the few memories that matter, each with its source."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import RecallAnswer
from memories.forms.hit import rendered
from memories.forms.kin import add_kin
from memories.forms.profile import profile_items
from memories.forms.prompt import rendered_prompt
from memories.forms.question_input import TOP_K, TOP_K_MAX, QuestionInput, question_of
from memories.metrics import DEGRADED, TIER_HITS
from memories.prompt import DEFAULT_ITEMS, Item
from memories.services.answer_recall import Recalled
from memories.services.kin import kin_of
from memories.services.profile import profile
from memories.services.recall_here import recall_here
from tenants.forms.documented import documented
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability, Scope
from tenants.services.spend import Quota, spend

HITS, PROMPT = "hits", "prompt"
TOP_K_OF = {HITS: TOP_K, PROMPT: DEFAULT_ITEMS}
MAX_TOKENS_MAX = 100_000


class RecallInput(QuestionInput):
    """One question, and the form of its answer."""

    spellings = {"limit": "top_k"}

    top_k = serializers.IntegerField(
        min_value=1, max_value=TOP_K_MAX, required=False, help_text="10, or 5 where the format is prompt."
    )
    threshold = serializers.FloatField(
        min_value=0.0,
        max_value=1.0,
        required=False,
        help_text="Leave out what scores less; an empty answer then has the reason below_threshold.",
    )
    format = serializers.ChoiceField(
        choices=[HITS, PROMPT],
        default=HITS,
        help_text="prompt adds a block of text for a model's prompt: grouped by kind, with dates, fenced as data.",
    )
    max_tokens = serializers.IntegerField(
        min_value=1, max_value=MAX_TOKENS_MAX, required=False, help_text="The budget of that block."
    )
    include_profile = serializers.BooleanField(
        default=False,
        help_text="Put the user's lasting facts before them, where the format is prompt; at most half of the budget.",
    )
    include_kin = serializers.BooleanField(
        default=False,
        help_text="Add to each memory what it rests on, and what else rests on the same (needs provenance:read).",
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
        scope, now = request_scope(request), timezone.now()
        spend(scope, Quota.RECALLS, now=now)
        question = question_of(
            asked,
            top_k=asked.get("top_k", TOP_K_OF[asked["format"]]),
            overlay=asked["overlay"],
            threshold=asked.get("threshold"),
        )
        if asked["include_kin"]:
            scope.require(Ability.PROVENANCE_READ)
        recalled = recall_here(scope, question, now=now)
        for part in recalled.degraded:
            DEGRADED.labels(part).inc()
        for tier in recalled.tiers.values():
            TIER_HITS.labels(tier).inc()
        answer = rendered(scope, recalled, explain=asked["explain"])
        if asked["include_kin"]:
            add_kin(answer["results"], kin_of(scope, recalled))
        if asked["format"] == PROMPT:
            answer["prompt"] = rendered_prompt(
                scope,
                recalled,
                profile=_profile(scope, recalled, now=now) if asked["include_profile"] else (),
                question=question.query,
                max_tokens=asked.get("max_tokens"),
            )
        return Response(answer)


def _profile(scope: Scope, recalled: Recalled, *, now: datetime) -> list[Item]:
    """Return the lines of the profile of the user that was asked about; none where that is nobody."""
    if recalled.subject is None:
        return []
    without = {hit.row.id for hit in recalled.hits}
    return profile_items(scope, profile(scope, recalled.subject.id, now=now), without=without)
