"""What the tests' small servers have in common: JSON both ways, silence, and a thread while a block runs."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class JsonHandler(BaseHTTPRequestHandler):
    """A handler that reads and answers JSON."""

    def do_POST(self) -> None:
        self.asked(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def asked(self, body: Any) -> None:
        """Answer a request."""
        raise NotImplementedError

    def answer(self, status: int, body: Any) -> None:
        """Answer with a body."""
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[None]:
    """Answer on the server's port for the block."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
