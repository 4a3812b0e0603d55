"""`entities/{id}/merge/` and `unmerge/`: two that are one, and two that are not."""

from uuid import UUID

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.merges import MergeAnswer, rendered_merge
from consolidation.services.merge import merge
from consolidation.services.unmerge import unmerge
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import if_match
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import StrictSerializer
from tenants.scope import Ability


class Merge(APIView):
    """Two entities are one."""

    ability = Ability.MEMORIES_WRITE

    class MergeInput(StrictSerializer):
        """Which entity goes into the one in the path."""

        entity_id = serializers.UUIDField()

    @documented(
        answer=MergeAnswer,
        body=MergeInput,
        example={"entity_id": "ENTITY"},
        operation="entities_merge",
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 409, 412, 503),
    )
    def post(self, request: Request, entity_id: UUID) -> Response:
        """Make another entity one with this one, which survives.

        The other's names become aliases, its memories and relations point at the survivor, and it is closed. Both
        belong to the same user, or to all, and are in the same compartments. `entities/{id}/unmerge/` undoes it.
        """
        form = self.MergeInput(data=request.data)
        form.is_valid(raise_exception=True)
        scope = request_scope(request)
        other_id = form.validated_data["entity_id"]
        done = merge(scope, entity_id, other_id, if_match=if_match(request), now=timezone.now())
        return Response(rendered_merge(done))


class Unmerge(APIView):
    """They were two."""

    ability = Ability.MEMORIES_WRITE

    @documented(answer=MergeAnswer, operation="entities_unmerge", problems=(400, 401, 403, 404, 409, 503))
    def post(self, request: Request, entity_id: UUID) -> Response:
        """Part this entity from the one it was merged into: names, memories and relations go back.

        What was learnt about the survivor meanwhile stays there. 404 where the entity was merged into none.
        """
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        return Response(rendered_merge(unmerge(request_scope(request), entity_id, now=timezone.now())))
