"""What the tests' small servers have in common: JSON both ways, silence, and a thread while a block runs."""

import json
import threading
import time
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

    def answer_raw(self, content: bytes, *, parts: int = 8, pause_s: float = 0.0) -> None:
        """Answer with a body that may be no JSON, part by part."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        size = len(content) // parts + 1
        try:
            for start in range(0, len(content), size):
                self.wfile.write(content[start : start + size])
                time.sleep(pause_s)
        except OSError:
            self.close_connection = True  # whoever asked has heard enough

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
