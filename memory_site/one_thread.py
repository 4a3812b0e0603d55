"""Django under ASGI, all of a request in one thread: middleware, view and rendering, none of which waits for the loop.

Django's own handler goes back to the event loop between them, and for each hook of the middleware: half a dozen
hand-overs from thread to thread, which cost as much as a small query each.
"""

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThread(ASGIHandler):
    """Hands each request over once, to the thread that Django keeps for it; connections are that thread's, as ever."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Load it as under WSGI."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)
