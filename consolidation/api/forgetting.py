"""`forgetting/`: look at what would be forgotten, then do it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from consolidation.forms.forgetting import ForgettingPreviewAnswer
from consolidation.services.fading import Figure
from consolidation.services.forget import PREVIEW_MAX, preview
from consolidation.services.forget_jobs import ask_to_forget
from tenants.forms.answers import JobAnswer
from tenants.forms.documented import documented
from tenants.forms.job import rendered
from tenants.forms.moments import iso
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer
from tenants.scope import Ability

SAMPLES = 20


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
        summarise = {
            "conversations": len(found.summarise),
            "episodes": sum(len(one.memory_ids) for one in found.summarise),
        }
        told = {"archive": _told(found.archive), "delete": _told(found.delete)}
        return Response({"summarise": summarise, **told})


def _told(figures: Sequence[Figure]) -> dict[str, Any]:
    weakest = sorted(figures, key=lambda figure: (figure.strength, figure.id))[:SAMPLES]
    return {
        "memories": len(figures),
        "more": len(figures) == PREVIEW_MAX,
        "by_type": dict(sorted(Counter(figure.memory_type for figure in figures).items())),
        "samples": [
            {
                "memory_id": str(figure.id),
                "memory_type": figure.memory_type,
                "importance": round(figure.importance, 6),
                "strength": round(figure.strength, 6),
                "accessed_at": iso(figure.accessed_at),
                "why": figure.why,
            }
            for figure in weakest
        ],
    }
