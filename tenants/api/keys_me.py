"""`keys/me/`: what the calling key may do."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tenants.forms.answers import KeyAnswer
from tenants.forms.documented import documented
from tenants.forms.moments import iso
from tenants.forms.request_scope import request_scope
from tenants.services.describe_key import describe_key


class KeysMe(APIView):
    """The calling key, described to its holder."""

    ability = None

    @documented(answer=KeyAnswer, problems=(401, 503))
    def get(self, request: Request) -> Response:
        """Return tenant, abilities and reach of the key; never its secret."""
        scope = request_scope(request)
        described = describe_key(scope)
        key = described.key
        return Response(
            {
                "key_id": str(key.id),
                "prefix": key.prefix,
                "name": key.name,
                "tenant": {"slug": described.tenant.slug, "name": described.tenant.name},
                "user_id": described.user_id,
                "abilities": sorted(scope.abilities),
                "memory_types": list(scope.kinds),
                "compartments": list(scope.compartments),
                "hidden_fields": list(scope.hidden_fields),
                "purpose": scope.purpose,
                "created_at": iso(key.created_at),
                "expires_at": iso(key.expires_at),
            }
        )
