"""A server in front of another one, which looks at something while a caller waits for the answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

_HOP = {"connection", "transfer-encoding", "content-encoding", "content-length", "host", "accept-encoding"}


class ForwardingServer(ThreadingHTTPServer):
    """target: base URL of the server behind it. meanwhile: run for each request before it is passed on."""

    daemon_threads = True
    target: httpx.URL
    meanwhile: Callable[[], None]
    forwarded = 0


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ForwardingServer

    def _forward(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.meanwhile()
        self.server.forwarded += 1
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP}
        target = self.server.target
        answer = httpx.request(
            self.command,
            f"http://{target.host}:{target.port}{self.path}",
            content=content,
            headers=headers,
            timeout=60,
        )
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name.lower() not in _HOP:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _forward  # noqa: N815 - the library's names

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def forwarding_server(target: str, meanwhile: Callable[[], None]) -> Iterator[tuple[ForwardingServer, str]]:
    """Run a server on a free port for the block; yield it and the URL that leads through it."""
    server = ForwardingServer(("127.0.0.1", 0), _Handler)
    server.target, server.meanwhile = httpx.URL(target), meanwhile
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    port = server.server_address[1]
    try:
        yield server, str(server.target.copy_with(host="127.0.0.1", port=port))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
