"""An embedder behind HTTP, in the shape of OpenAI's `POST /embeddings`, which most inference servers speak.

Source: OpenAI API reference, Embeddings; also vLLM, TEI, Ollama, LM Studio, llama.cpp.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.embedders.base import Embedder, Vectors
from backends.errors import Rejected, Unavailable
from backends.json_server import JsonServer

BATCH = 64
"""Texts a request."""
PASSAGES_TIMEOUT_S = 60.0
QUERY_TIMEOUT_S = 3.0
"""A question waits for its vector; without one it is answered by its words."""


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
        self._json = JsonServer(server.url, api_key=server.api_key, what="embedder", setting="EMBEDDER_API_KEY")

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
        answer = self._json.post("embeddings", body, timeout_s=timeout_s)
        return self._normalised(answer, len(texts))

    def _normalised(self, answer: Any, count: int) -> Vectors:
        """Return the vectors in the order of their texts, each of length 1."""
        try:
            data = sorted(answer["data"], key=lambda item: item["index"])
            rows = np.asarray([item["embedding"] for item in data], dtype=np.float32)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise Unavailable("the embedder answered something that holds no embeddings") from error
        if rows.shape != (count, self.dimensions):
            raise Rejected(f"the embedder returned shape {rows.shape}, not {(count, self.dimensions)}")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            raise Rejected("the embedder returned a vector without a direction")
        normalised: Vectors = rows / lengths
        return normalised
