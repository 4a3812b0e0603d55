"""The first look at a request's body: too long a one is refused before anybody reads it.

As ASGI, in front of Django, which would put the whole body into a file before it asks who sent it.
"""

import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from tempfile import SpooledTemporaryFile
from typing import Any

from memory_site.errors import CONTENT_TYPE, problem
from memory_site.problem_kinds import TOO_LONG
from memory_site.request_id import HEADER, accepted
from tenants.forms.body_limit import body_max_bytes, too_long

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

IN_MEMORY_BYTES = 256 * 1024
PIECE_BYTES = 64 * 1024


class BodyLimit:
    """Passes on HTTP requests whose body is within its path's limit, with its length in Content-Length.

    A chunked body has no length: it is read to its end first, at most to the limit.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        most = body_max_bytes(scope["path"])
        length = headers.get(b"content-length")
        if length is not None and length.isdigit() and int(length) > most:
            await _refuse(scope, headers, send)
        elif b"transfer-encoding" in headers:
            await self._measured(scope, receive, send, most)
        else:
            await self._app(scope, receive, send)

    async def _measured(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        with SpooledTemporaryFile(max_size=IN_MEMORY_BYTES) as body:
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return
                body.write(message.get("body", b""))
                if body.tell() > most:
                    await _refuse(scope, dict(scope["headers"]), send)
                    return
                more = message.get("more_body", False)
            length = body.tell()
            body.seek(0)
            kept = [pair for pair in scope["headers"] if pair[0] not in {b"transfer-encoding", b"content-length"}]
            measured = {**scope, "headers": [*kept, (b"content-length", str(length).encode())]}
            await self._app(measured, _replay(body, length, receive), send)


def _replay(body: "SpooledTemporaryFile[bytes]", length: int, receive: Receive) -> Receive:
    """Return what gives the body piece by piece, and then whatever comes after it."""
    sent = False

    async def replay() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        piece = body.read(PIECE_BYTES)
        sent = body.tell() >= length
        return {"type": "http.request", "body": piece, "more_body": not sent}

    return replay


async def _refuse(scope: Scope, headers: dict[bytes, bytes], send: Send) -> None:
    """Answer 413. What is still sent the server drops, piece by piece: a closed connection would drop the answer."""
    request_id = accepted(headers.get(HEADER.lower().encode(), b"").decode("latin-1"))
    body = json.dumps(problem(TOO_LONG, request_id, detail=too_long(scope["path"]))).encode()
    start = [
        (b"content-type", CONTENT_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (HEADER.lower().encode(), request_id.encode()),
    ]
    await send({"type": "http.response.start", "status": int(TOO_LONG.status), "headers": start})
    await send({"type": "http.response.body", "body": body})
