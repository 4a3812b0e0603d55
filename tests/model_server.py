"""A small model server as the tests need one: OpenAI's shape, with answers that a test has written down."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "key-of-the-model-server"


class ModelServer(ThreadingHTTPServer):
    """script: what it answers, one after another, the last again and again: a text, or a status to fail with.

    requests: bodies it was sent. meanwhile: run while a caller waits for its answer.
    """

    daemon_threads = True
    script: list[str | int]
    requests: list[dict[str, Any]]
    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    @property
    def url(self) -> str:
        """Return the address as LLM takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def asked(self) -> dict[str, Any]:
        """Return what the last request was about."""
        content: str = self.requests[-1]["messages"][1]["content"]
        read: dict[str, Any] = json.loads(content.split("\n\n")[0])
        return read


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.meanwhile()
        said = self.server.script[min(len(self.server.requests), len(self.server.script)) - 1]
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            said = 401
        if isinstance(said, int):
            return self._answer(said, {"error": {"message": "no"}})
        choice = {"message": {"role": "assistant", "content": said}}
        return self._answer(200, {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 10}})

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def model_server(*script: str | int) -> Iterator[ModelServer]:
    """Run a server on a free port for the block."""
    server = ModelServer(("127.0.0.1", 0), _Handler)
    server.script, server.requests = list(script), []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
