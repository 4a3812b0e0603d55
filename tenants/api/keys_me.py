"""`keys/me/`: what the calling key may do."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.documented import documented
from tenants.forms.key import OwnKeyAnswer, rendered_key
from tenants.forms.request_scope import request_scope
from tenants.services.describe_key import describe_key


class KeysMe(APIView):
    """The calling key, described to its holder."""

    ability = None

    @documented(answer=OwnKeyAnswer, problems=(401, 503))
    def get(self, request: Request) -> Response:
        """Return tenant, abilities and reach of the key; never its secret."""
        described = describe_key(request_scope(request))
        tenant = {"slug": described.tenant.slug, "name": described.tenant.name}
        return Response({**rendered_key(described.key), "user_id": described.user_id, "tenant": tenant})
