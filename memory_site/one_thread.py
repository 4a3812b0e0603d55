"""Django under ASGI, all of a request in one thread: middleware, view and rendering, as none of them is a coroutine.

Django's own handler goes back to the event loop between them, and for each hook of the middleware: half a dozen
hand-overs from thread to thread, each as dear as a small query.
"""

from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThread(ASGIHandler):
    """Hands each request over once, to the thread that Django keeps for it."""

    def load_middleware(self, *_: Any, **__: Any) -> None:
        """Load it as under WSGI, whatever Django's handler for ASGI asks for."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
