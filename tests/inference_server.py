"""A small inference server as Elasticsearch's service `hugging_face` asks one, and its endpoints in Elasticsearch."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import ThreadingHTTPServer
from typing import Any
from uuid import uuid4

from elasticsearch import ApiError, Elasticsearch

from tests.conftest import elasticsearch_url
from tests.json_servers import JsonHandler, serving

MEANINGS = (("otter", "lutra"), ("heron", "ardea"), ("badger", "meles"))
"""Words that mean the same to the model, and to nobody else."""


class InferenceServer(ThreadingHTTPServer):
    """status: what it answers instead, if not 200. reranked, embedded: the requests it was sent, by endpoint."""

    daemon_threads = True
    status = 200
    reranked: list[dict[str, Any]]
    embedded: list[str]
    rerank_id: str
    embed_id: str


class _Handler(JsonHandler):
    server: InferenceServer

    def asked(self, body: Any) -> None:
        if self.server.status != 200:
            return self.answer(self.server.status, {"error": "no"})
        if self.path == "/rerank":
            self.server.reranked.append(body)
            scores = [{"index": n, "score": _score(body["query"], text)} for n, text in enumerate(body["texts"])]
            return self.answer(200, list(reversed(scores)))
        self.server.embedded += body["inputs"]
        return self.answer(200, [_vector(text) for text in body["inputs"]])


def _score(query: str, text: str) -> float:
    """Return how often a text has a word of the question spelt backwards."""
    return float(sum(text.count(word[::-1]) for word in query.split()))


def _vector(text: str) -> list[float]:
    said = text.lower()
    return [1.0 if any(word in said for word in words) else 0.0 for words in MEANINGS] + [0.1]


@contextmanager
def inference_server() -> Iterator[InferenceServer]:
    """Run a server on a free port for the block, registered as two endpoints."""
    server = InferenceServer(("127.0.0.1", 0), _Handler)
    server.reranked, server.embedded = [], []
    name = uuid4().hex
    server.rerank_id, server.embed_id = f"mneme-test-rerank-{name}", f"mneme-test-embed-{name}"
    client = Elasticsearch(elasticsearch_url(), request_timeout=30)
    endpoints = (("rerank", server.rerank_id), ("text_embedding", server.embed_id))
    with serving(server):
        try:
            for task, endpoint in endpoints:
                path = "rerank" if task == "rerank" else "embed"
                url = f"http://127.0.0.1:{server.server_address[1]}/{path}"
                told = {"service": "hugging_face", "service_settings": {"url": url, "api_key": "none"}}
                client.inference.put(task_type=task, inference_id=endpoint, inference_config=told)
            server.reranked.clear()
            server.embedded.clear()
            yield server
        finally:
            for _, endpoint in endpoints:
                with suppress(ApiError):
                    client.inference.delete(inference_id=endpoint, force=True)
