"""`recalls/{id}/`: a stored recall, computed again, under another policy, or asked anew."""

from dataclasses import replace
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.differences import moves, settings
from memories.forms.recalls import DifferenceAnswer, RecallLogAnswer, rendered_difference, rendered_log
from memories.services.question_again import question_again
from memories.services.recall_here import recall_here
from memories.services.replay import replay, under
from tenants.forms.documented import documented
from tenants.forms.policy import PolicyInput
from tenants.forms.request_scope import request_scope
from tenants.policy import Policy
from tenants.scope import Ability
from tenants.services.spend import Quota, spend


class RecallLogView(APIView):
    """One stored recall."""

    ability = Ability.MEMORIES_READ

    @documented(answer=RecallLogAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, recall_id: UUID) -> Response:
        """Return the recall, its order computed again from the numbers that were logged.

        A key sees what it, or one that holds no more, has asked. Kept as the policy's recall.log_days says.
        """
        return Response(rendered_log(replay(request_scope(request), recall_id)))


class ReplayRecall(APIView):
    """A stored recall under another policy."""

    ability = Ability.MEMORIES_READ

    @documented(
        answer=DifferenceAnswer,
        body=PolicyInput,
        problems=(400, 401, 403, 404, 503),
    )
    def post(self, request: Request, recall_id: UUID) -> Response:
        """Return what the recall would have answered with these changes of the policy it ran under, and why.

        Nothing is changed by it, and nothing is asked anew: the legs' numbers are those that were logged.
        """
        form = PolicyInput(data=request.data)
        form.is_valid(raise_exception=True)
        replayed = replay(request_scope(request), recall_id)
        said = replayed.policy.changed(form.validated_data.get("set", {}), reset=form.validated_data.get("reset", ()))
        policy = Policy.of(said, version=replayed.policy.version)
        other = under(replayed, policy)
        return Response(
            rendered_difference(
                replayed, other, moves(replayed.outcome, other), settings(replayed.policy, policy), other_id=None
            )
        )


class RunRecall(APIView):
    """A stored recall asked anew."""

    ability = Ability.MEMORIES_READ

    @documented(answer=DifferenceAnswer, problems=(401, 403, 404, 429, 503))
    def post(self, request: Request, recall_id: UUID) -> Response:
        """Ask the question of a stored recall now, and return how the answer differs, and why."""
        scope, now = request_scope(request), timezone.now()
        spend(scope, Quota.RECALLS, now=now)
        replayed = replay(scope, recall_id)
        question = question_again(replayed.log.question)
        if replayed.log.subject is not None:  # a user's own key need not name the user
            question = replace(question, user_id=replayed.log.subject.external_id)
        again = recall_here(scope, question, now=now)
        return Response(
            rendered_difference(
                replayed,
                again.outcome,
                moves(replayed.outcome, again.outcome),
                settings(replayed.policy, again.policy),
                other_id=str(again.id),
            )
        )
