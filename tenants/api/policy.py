"""`policy/`: how the tenant's memory works."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.policy import PolicyAnswer, PolicyInput, rendered_policy
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability
from tenants.services.change_policy import change_policy, get_policy


class PolicyView(APIView):
    """The tenant's policy."""

    ability = {"GET": Ability.MEMORIES_READ, "PATCH": Ability.KEYS_MANAGE}

    @documented(answer=PolicyAnswer, problems=(401, 403, 503))
    def get(self, request: Request) -> Response:
        """Return every key: what it holds, its default, its unit, and what it means."""
        policy = get_policy(request_scope(request))
        return Response(rendered_policy(policy), headers=etag(policy.version))

    @documented(
        answer=PolicyAnswer,
        body=PolicyInput,
        example={"set": {"recall.threshold": 0.3}},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 412, 503),
    )
    def patch(self, request: Request) -> Response:
        """Change some keys, all or none; the policy gets a new version, and recalls name the one they ran under."""
        form = PolicyInput(data=request.data)
        form.is_valid(raise_exception=True)
        policy = change_policy(
            request_scope(request),
            form.validated_data.get("set", {}),
            reset=form.validated_data.get("reset", ()),
            if_version=if_match(request),
            now=timezone.now(),
        )
        return Response(rendered_policy(policy), headers=etag(policy.version))
