"""An embedder behind HTTP, in the shape of OpenAI's `POST /embeddings`, which most inference servers speak.

Source: OpenAI API reference, Embeddings; also vLLM, TEI, Ollama, LM Studio, llama.cpp.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import httpx
import numpy as np
from numpy.typing import NDArray

from backends.embedders.base import Embedder, Vectors
from backends.errors import Refused, Rejected, Unavailable

BATCH = 64
"""Texts a request."""
PASSAGES_TIMEOUT_S = 60.0
QUERY_TIMEOUT_S = 3.0
"""A question waits for its vector; without one it is answered by its words."""
CONNECT_TIMEOUT_S = 2.0
_TRY_AGAIN = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the model is and how it wants its texts.

    url: up to and without `/embeddings`. api_key: empty = none is sent. dimensions: of the vectors it returns.
    query_prefix, passage_prefix: what the model was trained with, such as "query: "; empty for OpenAI's.
    max_characters: what is longer is cut, since the server would refuse it.
    """

    url: str
    model: str
    dimensions: int
    api_key: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    max_characters: int = 8_000


class HttpEmbedder(Embedder):
    """A model on another server; its vectors are normalised here."""

    in_process = False

    def __init__(self, server: Server) -> None:
        self.model = server.model
        self.dimensions = server.dimensions
        self._server = server
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, some at a time."""
        parts = [
            self._embedded(
                [self._server.passage_prefix + text for text in texts[start : start + BATCH]], PASSAGES_TIMEOUT_S
            )
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), dtype=np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed one question, for which there is little time."""
        vector: NDArray[np.float32] = self._embedded([self._server.query_prefix + text], QUERY_TIMEOUT_S)[0]
        return vector

    def _embedded(self, texts: Sequence[str], timeout_s: float) -> Vectors:
        body = {
            "model": self.model,
            "input": [text[: self._server.max_characters] for text in texts],
            "encoding_format": "float",
        }
        try:
            answer = self._opened().post(
                "embeddings", json=body, timeout=httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S)
            )
        except httpx.HTTPError as error:
            raise Unavailable(f"the embedder did not answer ({type(error).__name__})") from error
        _check(answer)
        return self._normalised(answer, len(texts))

    def _normalised(self, answer: httpx.Response, count: int) -> Vectors:
        """Return the vectors in the order of their texts, each of length 1."""
        try:
            data = sorted(answer.json()["data"], key=lambda item: item["index"])
            rows = np.asarray([item["embedding"] for item in data], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable("the embedder answered something that holds no embeddings") from error
        if rows.shape != (count, self.dimensions):
            raise Rejected(f"the embedder returned shape {rows.shape}, not {(count, self.dimensions)}")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            raise Rejected("the embedder returned a vector without a direction")
        normalised: Vectors = rows / lengths
        return normalised

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._server.api_key}"} if self._server.api_key else {}
                self._client = httpx.Client(base_url=self._server.url.rstrip("/") + "/", headers=headers)
            return self._client


def _check(answer: httpx.Response) -> None:
    """Raise for a status that is no success; the body is not repeated, since it may hold the text."""
    if answer.is_success:
        return
    status = answer.status_code
    if status >= httpx.codes.INTERNAL_SERVER_ERROR or status in _TRY_AGAIN:
        raise Unavailable(f"the embedder answered {status}")
    if status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
        raise Refused(f"the embedder answered {status}; look EMBEDDER_API_KEY up")
    raise Rejected(f"the embedder answered {status}")
