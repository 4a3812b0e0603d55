"""`sync/`: how far the search engine is behind the record."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.answers import SyncAnswer
from memories.services.backlog import backlog
from tenants.forms.documented import documented
from tenants.forms.request_scope import request_scope


class Sync(APIView):
    """The tenant's own backlog."""

    ability = None

    @documented(answer=SyncAnswer, problems=(401, 503))
    def get(self, request: Request) -> Response:
        """Return how many documents are not yet confirmed and visible in the engine, and how many are given up."""
        held = backlog(request_scope(request), now=timezone.now())
        return Response({"pending": held.pending, "oldest_s": held.oldest_s, "dead_letters": held.dead_letters})
