"""A small embedding server as the tests need one: OpenAI's shape in front of the bundled model."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from backends.embedders.bundled import BundledEmbedder

KEY = "key-of-the-embedding-server"
POISON = "unembeddable"
"""A text with this word is refused, as servers refuse what is too long for them."""
_model = BundledEmbedder()


class EmbeddingServer(ThreadingHTTPServer):
    """status: what it answers instead of embeddings, if not 200. requests: bodies it was sent.

    meanwhile: run while a caller waits for its answer.
    """

    daemon_threads = True
    status = 200
    requests: list[dict[str, Any]]
    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    @property
    def url(self) -> str:
        """Return the address as EMBEDDER takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.meanwhile()
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            return self._answer(401, {})
        if self.server.status != 200 or self.path != "/v1/embeddings":
            return self._answer(self.server.status if self.path == "/v1/embeddings" else 404, {})
        if any(POISON in text for text in body["input"]):
            return self._answer(400, {"error": {"message": "too long"}})
        vectors = [3 * _model.query(text.removeprefix("q: ")) for text in body["input"]]
        data = [{"index": index, "embedding": [float(x) for x in vector]} for index, vector in enumerate(vectors)]
        return self._answer(200, {"data": list(reversed(data)), "model": body["model"]})

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
def embedding_server() -> Iterator[EmbeddingServer]:
    """Run a server on a free port for the block."""
    server = EmbeddingServer(("127.0.0.1", 0), _Handler)
    server.requests = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
