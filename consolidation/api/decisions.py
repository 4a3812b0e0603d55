"""`decisions/`: what was made of each episode, and why."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.answers import DecisionsAnswer
from consolidation.forms.rendered import rendered_decision
from consolidation.models.decision import Verdict
from consolidation.services.listed import Wanted, list_decisions
from tenants.forms.documented import documented
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField
from tenants.scope import Ability


class Decisions(APIView):
    """Decisions of all runs."""

    ability = Ability.PROVENANCE_READ

    class ListInput(PageInput):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)
        run_id = serializers.UUIDField(required=False)
        turn_id = serializers.UUIDField(required=False)
        memory_id = serializers.UUIDField(required=False)
        verdict = serializers.ChoiceField(choices=Verdict.choices, required=False)

    @documented(
        answer=DecisionsAnswer, query=ListInput, operation="decisions_list", problems=(400, 401, 403, 404, 503)
    )
    def get(self, request: Request) -> Response:
        """Return decisions, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        wanted = Wanted(**form.validated_data)
        return Response(page(list_decisions(request_scope(request), wanted), rendered_decision, limit=wanted.limit))
