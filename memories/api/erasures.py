"""`subjects/{id}/erase/`: everything of one user goes."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.services.erase import erase
from tenants.forms.answers import JobAnswer
from tenants.forms.documented import SUBJECT_ID, documented
from tenants.forms.job import rendered
from tenants.forms.request_scope import request_scope
from tenants.forms.strict import StrictSerializer
from tenants.forms.subject_id import subject_id_of
from tenants.scope import Ability


class Erase(APIView):
    """The right to be forgotten."""

    ability = Ability.COMPLIANCE

    @documented(answer=JobAnswer, status=202, headers=(SUBJECT_ID,), problems=(400, 401, 403, 404, 503))
    def post(self, request: Request, subject_id: str) -> Response:
        """Begin to erase the user; 202 means that nothing of it is shown any more. Follow the job to its end.

        The key needs the ability `compliance`.
        """
        form = StrictSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        job = erase(request_scope(request), subject_id_of(subject_id), now=timezone.now())
        return Response(rendered(job), status=202)
