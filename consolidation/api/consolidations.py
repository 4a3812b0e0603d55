"""`consolidations/`: ask for one, read the runs, and see what a turn would yield."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.answers import PreviewAnswer, RunsAnswer
from consolidation.forms.rendered import rendered_run
from consolidation.models.run import State
from consolidation.rules.extract import extract
from consolidation.rules.weight import FLOOR
from consolidation.services.jobs import ask
from consolidation.services.listed import Wanted, list_runs
from memories.models.turn import TURN_MAX_LENGTH
from tenants.forms.answers import JobAnswer
from tenants.forms.documented import documented
from tenants.forms.job import rendered
from tenants.forms.moments import iso
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, MomentField, StrictSerializer, TextField
from tenants.scope import Ability


class Consolidations(APIView):
    """Runs over what users said."""

    ability = Ability.CONSOLIDATE

    class ListInput(PageInput):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)
        state = serializers.ChoiceField(choices=State.choices, required=False)

    class ConsolidationInput(StrictSerializer):
        """Whose episodes; left out, all that wait."""

        user_id = ExternalIdField(required=False)

    @documented(
        answer=RunsAnswer, query=ListInput, operation="consolidations_list", problems=(400, 401, 403, 404, 503)
    )
    def get(self, request: Request) -> Response:
        """Return runs, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        wanted = Wanted(**form.validated_data)
        return Response(page(list_runs(request_scope(request), wanted), rendered_run, limit=wanted.limit))

    @documented(
        answer=JobAnswer,
        body=ConsolidationInput,
        status=202,
        example={"user_id": "ada"},
        problems=(400, 401, 403, 404, 503),
    )
    def post(self, request: Request) -> Response:
        """Begin to consolidate what waits, of one user where named. Follow the job to its end.

        The key needs the ability `consolidate`. Nobody needs to ask: it is done in time anyway.
        """
        form = self.ConsolidationInput(data=request.data)
        form.is_valid(raise_exception=True)
        job = ask(request_scope(request), user_id=form.validated_data.get("user_id"), now=timezone.now())
        return Response(rendered(job), status=202)


class Preview(APIView):
    """What a turn would yield."""

    ability = Ability.CONSOLIDATE

    class PreviewInput(StrictSerializer):
        """A user's turn. occurred_at: when it was said; left out: now."""

        content = TextField(max_length=TURN_MAX_LENGTH)
        occurred_at = MomentField(required=False)

    @documented(
        answer=PreviewAnswer,
        body=PreviewInput,
        example={"content": "I moved to Edinburgh in March"},
        problems=(400, 401, 403, 503),
    )
    def post(self, request: Request) -> Response:
        """Return what a user's turn states about the user, by the rules; nothing is stored."""
        form = self.PreviewInput(data=request.data)
        form.is_valid(raise_exception=True)
        asked: dict[str, Any] = form.validated_data
        said_at = asked.get("occurred_at") or timezone.now()
        found = extract(asked["content"], said_at=said_at)
        candidates = [
            {
                "text": one.text,
                "predicate": one.predicate,
                "value": one.value,
                "stance": one.stance,
                "slot": one.slot,
                "category": one.category,
                "confidence": one.confidence,
                "importance": one.importance,
                "start": one.start,
                "end": one.end,
                "valid_from": iso(one.valid_from or said_at),
                "rule": one.rule,
                "pending": one.confidence < FLOOR,
                "quarantined": found.suspect,
            }
            for one in found.candidates
        ]
        return Response({"candidates": candidates, "why": found.why})
