"""`golden/`: questions whose right answers are known, to hold a change against."""

from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.golden import (
    CheckAnswer,
    GoldenAnswer,
    GoldenInput,
    GoldensAnswer,
    rendered_check,
    rendered_golden,
)
from memories.forms.question_input import question_of
from memories.services.golden import add_golden, check_golden, list_golden, remove_golden
from memories.services.recall_here import recall_here
from tenants.forms.documented import documented
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability
from tenants.services.spend import Quota, spend


class GoldenQuestions(APIView):
    """The golden questions of the tenant."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=GoldensAnswer, problems=(401, 403, 503), operation="golden_list")
    def get(self, request: Request) -> Response:
        """Return the golden questions, oldest first."""
        found = list_golden(request_scope(request))
        return Response({"results": [rendered_golden(golden) for golden in found]})

    @documented(
        answer=GoldenAnswer,
        body=GoldenInput,
        status=201,
        example={"query": "What is Ada's blood group?", "expected": []},
    )
    def post(self, request: Request) -> Response:
        """Keep a question and the memories that must be among its first answers."""
        form = GoldenInput(data=request.data)
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        golden = add_golden(
            request_scope(request),
            question_of(asked),
            expected=asked["expected"],
            within=asked["within"],
            now=timezone.now(),
        )
        return Response(rendered_golden(golden), status=201)


class GoldenQuestionView(APIView):
    """One golden question."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=None, status=204, problems=(401, 403, 404, 503))
    def delete(self, request: Request, golden_id: UUID) -> Response:
        """Remove the question."""
        remove_golden(request_scope(request), golden_id, now=timezone.now())
        return Response(status=204)


class CheckGolden(APIView):
    """All golden questions, asked now."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=CheckAnswer, problems=(401, 403, 429, 503))
    def post(self, request: Request) -> Response:
        """Ask every golden question and say which hold; it counts as one recall."""
        scope, now = request_scope(request), timezone.now()
        spend(scope, Quota.RECALLS, now=now)
        return Response(rendered_check(check_golden(scope, partial(recall_here, now=now))))
