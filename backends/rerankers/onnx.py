"""A cross-encoder in ONNX, from a folder with model.onnx and tokenizer.json, as Hugging Face's exports have them."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from backends.errors import Rejected
from backends.rerankers.base import Reranker

MAX_TOKENS = 256
BATCH = 16
"""Texts a pass, sorted by length, so that little of it is padding."""


class OnnxReranker(Reranker):
    """A model in this process, loaded on first use, on one thread: several requests come at once anyway."""

    def __init__(self, folder: Path) -> None:
        self.model = folder.name
        self._folder = folder
        self._lock = threading.Lock()
        self._parts: tuple[Tokenizer, Any] | None = None

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the logit of each text: of the second class, where the model has two."""
        tokenizer, session = self._loaded()
        encoded = tokenizer.encode_batch([(question, text) for text in texts])
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index].ids))
        found = np.empty(len(texts), dtype=np.float64)
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            found[part] = self._pass(session, [encoded[index] for index in part])
        if not np.isfinite(found).all():
            raise Rejected(f"{self._folder} gave a score that is no number")
        return [float(score) for score in found]

    def _pass(self, session: Any, part: Sequence[Any]) -> Any:
        longest = max(len(one.ids) for one in part)
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        padded = {
            name: np.array([[*getattr(one, held), *[0] * (longest - len(one.ids))] for one in part], dtype=np.int64)
            for name, held in columns.items()
        }
        wanted = {one.name for one in session.get_inputs()}
        logits = np.asarray(session.run(None, {name: padded[name] for name in wanted})[0])
        return logits.reshape(len(part), -1)[:, -1]

    def _loaded(self) -> tuple[Tokenizer, Any]:
        with self._lock:
            if self._parts is None:
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1
                try:
                    tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
                    session = onnxruntime.InferenceSession(
                        str(self._folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
                    )
                except Exception as error:
                    raise Rejected(f"{self._folder} does not hold the model's files: {error}") from error
                tokenizer.enable_truncation(MAX_TOKENS)
                tokenizer.no_padding()
                self._parts = (tokenizer, session)
            return self._parts
