"""`subjects/`: the users that the tenant has memories of."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.answers import SubjectAnswer, SubjectsAnswer
from tenants.forms.documented import SUBJECT_ID, documented
from tenants.forms.moments import iso
from tenants.forms.page import PageInput, page
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import ExternalIdField
from tenants.forms.subject_id import subject_id_of
from tenants.models import Subject
from tenants.scope import Ability
from tenants.services.list_subjects import get_subject, list_subjects


class Subjects(APIView):
    """Users of the tenant."""

    ability = Ability.MEMORIES_READ

    class ListInput(PageInput):
        """What the list is limited to."""

        user_id = ExternalIdField(required=False)

    @documented(answer=SubjectsAnswer, query=ListInput, operation="subjects_list")
    def get(self, request: Request) -> Response:
        """Return users, newest first; `next` is the `before` of the following page."""
        form = self.ListInput(data=request.query_params.dict())
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        found = list_subjects(
            request_scope(request), user_id=asked.get("user_id"), before=asked.get("before"), limit=asked["limit"]
        )
        return Response(page(found, _rendered, limit=asked["limit"]))


class SubjectView(APIView):
    """One user of the tenant."""

    ability = Ability.MEMORIES_READ

    @documented(answer=SubjectAnswer, headers=(SUBJECT_ID,), problems=(401, 403, 404, 503))
    def get(self, request: Request, subject_id: str) -> Response:
        """Return the user."""
        return Response(_rendered(get_subject(request_scope(request), subject_id_of(subject_id))))


def _rendered(subject: Subject) -> dict[str, Any]:
    return {"id": str(subject.id), "user_id": subject.external_id, "created_at": iso(subject.created_at)}
