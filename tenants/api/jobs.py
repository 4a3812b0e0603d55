"""`jobs/{id}/`: how far long work has come."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.answers import JobAnswer
from tenants.forms.documented import documented
from tenants.forms.job import rendered
from tenants.forms.request_scope import request_scope
from tenants.services.get_job import get_job


class JobView(APIView):
    """One job of the tenant."""

    ability = None

    @documented(answer=JobAnswer, problems=(401, 404, 503))
    def get(self, request: Request, job_id: UUID) -> Response:
        """Return its state and progress."""
        return Response(rendered(get_job(request_scope(request), job_id)))
