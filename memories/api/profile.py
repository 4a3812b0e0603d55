"""`subjects/{id}/profile/`: what is known of a user for good."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.profile import ProfileAnswer, rendered_profile
from memories.services.profile import profile
from tenants.forms.documented import SUBJECT_ID, documented
from tenants.forms.request_scope import request_scope
from tenants.forms.subject_id import subject_id_of
from tenants.scope import Ability


class ProfileView(APIView):
    """The profile of one user."""

    ability = Ability.MEMORIES_READ

    @documented(answer=ProfileAnswer, headers=(SUBJECT_ID,), problems=(401, 403, 404, 503))
    def get(self, request: Request, subject_id: str) -> Response:
        """Return the user's lasting facts by part of life, the most important first.

        Of what is believed and true now, and what the key can see: nothing pending, ended or expired.
        """
        scope = request_scope(request)
        return Response(rendered_profile(scope, profile(scope, subject_id_of(subject_id), now=timezone.now())))
