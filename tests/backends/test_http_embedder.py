"""The HTTP embedder against a real server."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from backends.embedders.connect import connect
from backends.embedders.http import BATCH, HttpEmbedder, Server
from backends.errors import Refused, Rejected, Unavailable
from tests.embedding_server import KEY, POISON, EmbeddingServer, embedding_server


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with embedding_server() as running:
        yield running


def of(server: EmbeddingServer, **changes: object) -> HttpEmbedder:
    plain = Server(url=server.url, model="e5", dimensions=384, api_key=KEY, query_prefix="q: ")
    return HttpEmbedder(replace(plain, **changes))  # type: ignore[arg-type]


def test_vectors_come_back_in_order_and_of_length_one(server: EmbeddingServer) -> None:
    embedder = of(server)
    texts = [f"otter number {n}" for n in range(BATCH + 3)]
    vectors = embedder.passages(texts)
    assert vectors.shape == (BATCH + 3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert [len(body["input"]) for body in server.requests] == [BATCH, 3]
    assert np.allclose(embedder.query("otter number 5"), vectors[5], atol=1e-4)
    assert server.requests[-1]["input"] == ["q: otter number 5"]
    assert embedder.passages([]).shape == (0, 384)


def test_each_failure_has_its_error(server: EmbeddingServer) -> None:
    embedder = of(server)
    for status, error in (
        (500, Unavailable),
        (503, Unavailable),
        (429, Unavailable),
        (400, Rejected),
        (403, Refused),
    ):
        server.status = status
        with pytest.raises(error):
            embedder.query("otter")
    server.status = 200
    with pytest.raises(Refused):
        of(server, api_key="other").query("otter")
    with pytest.raises(Rejected, match="shape"):
        of(server, dimensions=7).query("otter")
    with pytest.raises(Rejected) as refused:
        embedder.query(f"a private {POISON} text")
    assert "private" not in str(refused.value)
    with pytest.raises(Unavailable):
        HttpEmbedder(Server(url="http://127.0.0.1:9/v1", model="e5", dimensions=384)).query("otter")


def test_a_long_text_is_cut(server: EmbeddingServer) -> None:
    of(server, max_characters=10).passages(["x" * 99])
    assert server.requests[-1]["input"] == ["x" * 10]


def test_a_url_without_a_server_is_refused() -> None:
    with pytest.raises(ValueError, match="EMBEDDER"):
        connect("https://host/v1")
