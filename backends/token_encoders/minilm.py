"""all-MiniLM-L6-v2 from a folder of its published files: English token vectors for late interaction."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import regex
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from backends.bert.encoder import Encoder
from backends.bert.weights import Array
from backends.errors import Unavailable
from backends.token_encoders.base import AskedTokens, TokenEncoder, Tokens
from backends.token_encoders.bert_tensors import weights_of

PASSAGE_MAX_TOKENS = 128
"""Some 500 characters, which most memories are within; each token more costs time and room. Set by us."""
QUESTION_MAX_TOKENS = 64
"""Some 40 words; a recall waits for each, and a longer question is told by its beginning. Set by us."""
LAYERS, HEADS = 6, 12
TEXT_MAX_LENGTH = 2_000

_FOREIGN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Arabic}\p{Hebrew}\p{Cyrillic}]")


class MiniLmEncoder(TokenEncoder):
    """MiniLM, loaded on first use in each process. It knows English, and as good as nothing without Latin letters."""

    model = "all-MiniLM-L6-v2"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._parts: tuple[Tokenizer, _MiniLm] | None = None

    def reads(self, text: str) -> bool:
        """Say whether a text has no letters of other scripts."""
        return not _FOREIGN.search(text[:TEXT_MAX_LENGTH])

    def passage(self, text: str) -> Tokens:
        """Encode a text without the marks at its ends."""
        tokenizer, bert = self._loaded()
        ids = tokenizer.encode(_clean(text)).ids
        ids = [*ids[: PASSAGE_MAX_TOKENS - 1], ids[-1]] if len(ids) > PASSAGE_MAX_TOKENS else ids
        return _normalised(bert(ids)[1:-1])

    def question(self, text: str) -> AskedTokens:
        """Encode a question; a word that is several pieces stands at each of them."""
        tokenizer, bert = self._loaded()
        clean = _clean(text)
        encoding = tokenizer.encode(clean)
        ids = encoding.ids[:QUESTION_MAX_TOKENS]
        spans = [None if word is None else encoding.word_to_chars(word) for word in encoding.word_ids[: len(ids)]]
        words = ["" if span is None else clean[span[0] : span[1]] for span in spans]
        end = len(ids) if words[-1] else len(ids) - 1
        return AskedTokens(words=tuple(words[1:end]), vectors=_normalised(bert(ids)[1:end]))

    def _loaded(self) -> tuple[Tokenizer, "_MiniLm"]:
        with self._lock:
            if self._parts is None:
                try:
                    tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                    bert = _MiniLm(load_file(self._folder / "model.safetensors"))
                except Exception as error:
                    raise Unavailable(f"{self._folder} does not hold the model's files: {error}") from error
                tokenizer.no_truncation()
                tokenizer.no_padding()
                self._parts = (tokenizer, bert)
            return self._parts


class _MiniLm:
    """The model; called with token ids it returns their last hidden states, shape (tokens, dimensions)."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        self._words = tensors["embeddings.word_embeddings.weight"]
        places, kinds = (tensors[f"embeddings.{name}_embeddings.weight"] for name in ("position", "token_type"))
        self._places = places + kinds[0]
        self._encoder = Encoder(weights_of(tensors, layers=LAYERS, heads=HEADS))

    def __call__(self, ids: Sequence[int]) -> Array:
        return self._encoder(self._words[list(ids)] + self._places[: len(ids)])


def _clean(text: str) -> str:
    return text[:TEXT_MAX_LENGTH].encode("utf-8", "replace").decode("utf-8")


def _normalised(vectors: Tokens) -> Tokens:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    normalised: Tokens = vectors / np.maximum(lengths, np.float32(1e-12))
    return normalised
