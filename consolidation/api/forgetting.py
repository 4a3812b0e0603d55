"""`forgetting/`: look at what would be forgotten, then do it."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.forgetting import ForgettingPreviewAnswer, rendered_preview
from consolidation.services.forget import preview
from consolidation.services.forget_jobs import ask_to_forget
from tenants.forms.answers import JobAnswer
from tenants.forms.documented import documented
from tenants.forms.job import rendered
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer
from tenants.scope import Ability


class ForgettingInput(StrictSerializer):
    """Whose memories; left out, all users'."""

    user_id = ExternalIdField(required=False)


class Forgetting(APIView):
    """Memories that are held too weakly."""

    ability = Ability.CONSOLIDATE

    @documented(
        answer=JobAnswer,
        body=ForgettingInput,
        status=202,
        example={"user_id": "ada"},
        problems=(400, 401, 403, 404, 503),
    )
    def post(self, request: Request) -> Response:
        """Begin to archive what has faded: old conversations in favour of a summary, the rest as it is.

        What was archived for long is deleted, where the policy says so.

        Look at `forgetting/preview/` first. The key needs the ability `consolidate`, and every compartment of the
        tenant is gone through. Nobody needs to ask: it is done in the tenant's quiet hour anyway.
        """
        form = ForgettingInput(data=request.data)
        form.is_valid(raise_exception=True)
        user_id = form.validated_data.get("user_id")
        job = ask_to_forget(request_scope(request), user_id=user_id, now=timezone.now())
        return Response(rendered(job), status=202)


class ForgettingPreview(APIView):
    """What would be forgotten."""

    ability = Ability.CONSOLIDATE

    @documented(
        answer=ForgettingPreviewAnswer,
        body=ForgettingInput,
        example={"user_id": "ada"},
        problems=(400, 401, 403, 404, 503),
    )
    def post(self, request: Request) -> Response:
        """Return what would be summarised, archived and deleted now; nothing is done.

        Counts, and the weakest by id with why, of what the key can see: it needs `memories:read` as well.
        """
        form = ForgettingInput(data=request.data)
        form.is_valid(raise_exception=True)
        found = preview(request_scope(request), user_id=form.validated_data.get("user_id"), now=timezone.now())
        return Response(rendered_preview(found))
