"""`subjects/`: the users that the tenant has memories of."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.answers import SubjectAnswer, SubjectsAnswer
from tenants.forms.documented import documented
from tenants.forms.moments import iso
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField, StrictSerializer
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.list_subjects import get_subject, list_subjects

PAGE_MAX = 200


class Subjects(APIView):
    """Users of the tenant."""

    ability = Ability.MEMORIES_READ

    class ListInput(StrictSerializer):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)
        before = serializers.UUIDField(required=False)
        limit = serializers.IntegerField(min_value=1, max_value=PAGE_MAX, default=50)

    @documented(answer=SubjectsAnswer, query=ListInput, operation="subjects_list")
    def get(self, request: Request) -> Response:
        """Return users, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        found = list_subjects(
            request_scope(request), user_id=asked.get("user_id"), before=asked.get("before"), limit=asked["limit"]
        )
        following = str(found[-1].id) if len(found) == asked["limit"] else None
        return Response({"results": [_rendered(subject) for subject in found], "next": following})


class SubjectView(APIView):
    """One user of the tenant."""

    ability = Ability.MEMORIES_READ

    @documented(answer=SubjectAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, subject_id: UUID) -> Response:
        """Return the user."""
        return Response(_rendered(get_subject(request_scope(request), subject_id)))


def _rendered(subject: Subject) -> dict[str, str | None]:
    return {"id": str(subject.id), "user_id": subject.external_id, "created_at": iso(subject.created_at)}
