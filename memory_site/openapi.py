"""The OpenAPI document as a path of the API: it takes a format, and refuses every other parameter."""

from typing import Any

from drf_spectacular.views import SpectacularAPIView
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings


class Document(SpectacularAPIView):
    """The library's, but for its `version`, which comes back in a header as it was sent."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what the document does not depend on."""
        super().initial(request, *args, **kwargs)
        unknown = [name for name in request.query_params if name != api_settings.URL_FORMAT_OVERRIDE]
        if unknown:
            raise ValidationError({name: ["is not a parameter of this path"] for name in unknown})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Return an error as JSON: the document's own formats are for the document."""
        if getattr(response, "exception", False):
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        return answer
