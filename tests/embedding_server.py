"""A small embedding server as the tests need one: OpenAI's shape in front of the bundled model."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any

from backends.embedders.bundled import BundledEmbedder
from tests.json_servers import JsonHandler, serving

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


class _Handler(JsonHandler):
    server: EmbeddingServer

    def asked(self, body: Any) -> None:
        self.server.requests.append(body)
        self.server.meanwhile()
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            return self.answer(401, {})
        if self.server.status != 200 or self.path != "/v1/embeddings":
            return self.answer(self.server.status if self.path == "/v1/embeddings" else 404, {})
        if any(POISON in text for text in body["input"]):
            return self.answer(400, {"error": {"message": "too long"}})
        vectors = [3 * _model.query(text.removeprefix("q: ")) for text in body["input"]]
        data = [{"index": index, "embedding": [float(x) for x in vector]} for index, vector in enumerate(vectors)]
        return self.answer(200, {"data": list(reversed(data)), "model": body["model"]})


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """Run a server on a free port for the block."""
    server = EmbeddingServer(("127.0.0.1", 0), _Handler)
    server.requests = []
    with serving(server):
        yield server
