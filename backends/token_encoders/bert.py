"""The forward pass of a small BERT encoder, in NumPy: no model runtime is needed for a few dozen tokens.

Source: Devlin et al., "BERT", 2019; weights by the names of Hugging Face's BertModel.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

LAYER_NORM_EPS = 1e-12
"""Source: the model's config.json, as for every BERT."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Norm:
    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(LAYER_NORM_EPS))
        normed: Array = centred / spread * self.weight + self.bias
        return normed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Linear:
    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        out: Array = x @ self.weight + self.bias
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """query, key and value side by side in one matrix."""

    attention: _Linear
    attended: _Linear
    attended_norm: _Norm
    widened: _Linear
    narrowed: _Linear
    narrowed_norm: _Norm


class Bert:
    """An encoder; called with token ids it returns the last hidden states, shape (tokens, dimensions)."""

    def __init__(self, tensors: Mapping[str, Array], *, layers: int, heads: int) -> None:
        self._heads = heads
        self._words = tensors["embeddings.word_embeddings.weight"]
        self._places = tensors["embeddings.position_embeddings.weight"]
        self._type = tensors["embeddings.token_type_embeddings.weight"][0]
        self._norm = _norm(tensors, "embeddings.LayerNorm")
        self._layers = [_layer(tensors, f"encoder.layer.{number}") for number in range(layers)]

    def __call__(self, ids: Sequence[int]) -> Array:
        """Return the last hidden state of each token."""
        x = self._norm(self._words[list(ids)] + self._places[: len(ids)] + self._type)
        for layer in self._layers:
            x = layer.attended_norm(x + layer.attended(self._attention(layer.attention(x))))
            x = layer.narrowed_norm(x + layer.narrowed(_gelu(layer.widened(x))))
        return x

    def _attention(self, joined: Array) -> Array:
        """Return what each token takes from the others; joined: query, key and value side by side."""
        tokens, width = joined.shape[0], joined.shape[1] // 3
        size = width // self._heads
        query, key, value = (
            part.reshape(tokens, self._heads, size).transpose(1, 0, 2) for part in np.split(joined, 3, axis=1)
        )
        weights = query @ key.transpose(0, 2, 1) * np.float32(1 / math.sqrt(size))
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        taken: Array = (weights @ value).transpose(1, 0, 2).reshape(tokens, width)
        return taken


def _gelu(x: Array) -> Array:
    """Return the tanh form of GELU. Source: Hendrycks & Gimpel, 2016; within .001 of the exact one."""
    inner = np.float32(math.sqrt(2 / math.pi)) * (x + np.float32(0.044715) * x * x * x)
    activated: Array = np.float32(0.5) * x * (1 + np.tanh(inner))
    return activated


def _layer(tensors: Mapping[str, Array], name: str) -> _Layer:
    parts = [_linear(tensors, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
    return _Layer(
        attention=_Linear(
            weight=np.concatenate([part.weight for part in parts], axis=1),
            bias=np.concatenate([part.bias for part in parts]),
        ),
        attended=_linear(tensors, f"{name}.attention.output.dense"),
        attended_norm=_norm(tensors, f"{name}.attention.output.LayerNorm"),
        widened=_linear(tensors, f"{name}.intermediate.dense"),
        narrowed=_linear(tensors, f"{name}.output.dense"),
        narrowed_norm=_norm(tensors, f"{name}.output.LayerNorm"),
    )


def _linear(tensors: Mapping[str, Array], name: str) -> _Linear:
    return _Linear(weight=np.ascontiguousarray(tensors[f"{name}.weight"].T), bias=tensors[f"{name}.bias"])


def _norm(tensors: Mapping[str, Array], name: str) -> _Norm:
    return _Norm(weight=tensors[f"{name}.weight"], bias=tensors[f"{name}.bias"])
