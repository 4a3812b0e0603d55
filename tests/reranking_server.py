"""A small reranking server as the tests need one, with an order that no other leg would come upon."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from typing import Any

from tests.json_servers import JsonHandler, serving

KEY = "key-of-the-reranking-server"


class RerankingServer(ThreadingHTTPServer):
    """status: what it answers instead of scores, if not 200. requests: bodies it was sent. wrong: another answer."""

    daemon_threads = True
    status = 200
    wrong: Any = None
    requests: list[dict[str, Any]]

    @property
    def url(self) -> str:
        """Return the address as RERANKER takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(JsonHandler):
    server: RerankingServer

    def asked(self, body: Any) -> None:
        self.server.requests.append(body)
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            return self.answer(401, {})
        if self.server.status != 200 or self.path != "/v1/rerank":
            return self.answer(self.server.status if self.path == "/v1/rerank" else 404, {})
        if self.server.wrong is not None:
            return self.answer(200, self.server.wrong)
        if "texts" in body:
            scores = [{"index": n, "score": _score(body["query"], text)} for n, text in enumerate(body["texts"])]
            return self.answer(200, list(reversed(scores)))
        found = [
            {"index": n, "relevance_score": _score(body["query"], text)} for n, text in enumerate(body["documents"])
        ]
        return self.answer(200, {"results": sorted(found, key=lambda one: -float(one["relevance_score"]))})


def _score(query: str, text: str) -> float:
    """Return how often a text has a word of the question spelt backwards."""
    return float(sum(text.count(word[::-1]) for word in query.split()))


@contextmanager
def reranking_server() -> Iterator[RerankingServer]:
    """Run a server on a free port for the block."""
    server = RerankingServer(("127.0.0.1", 0), _Handler)
    server.requests = []
    with serving(server):
        yield server
