"""The weights of a BERT encoder by the names of Hugging Face's BertModel."""

from collections.abc import Mapping

from backends.bert.weights import Array, Layer, Linear, Norm, Weights, stacked

EPSILON = 1e-12
"""Of the layer norms. Source: the model's config.json, as for every BERT."""


def weights_of(tensors: Mapping[str, Array], *, layers: int, heads: int) -> Weights:
    """Return the weights of the encoder."""
    return Weights(
        norm=_norm(tensors, "embeddings.LayerNorm"),
        layers=[_layer(tensors, f"encoder.layer.{number}") for number in range(layers)],
        heads=heads,
        epsilon=EPSILON,
    )


def _layer(tensors: Mapping[str, Array], name: str) -> Layer:
    return Layer(
        attention=stacked([_linear(tensors, f"{name}.attention.self.{part}") for part in ("query", "key", "value")]),
        attended=_linear(tensors, f"{name}.attention.output.dense"),
        attended_norm=_norm(tensors, f"{name}.attention.output.LayerNorm"),
        widened=_linear(tensors, f"{name}.intermediate.dense"),
        narrowed=_linear(tensors, f"{name}.output.dense"),
        narrowed_norm=_norm(tensors, f"{name}.output.LayerNorm"),
    )


def _linear(tensors: Mapping[str, Array], name: str) -> Linear:
    return Linear(weight=tensors[f"{name}.weight"], bias=tensors[f"{name}.bias"])


def _norm(tensors: Mapping[str, Array], name: str) -> Norm:
    return Norm(weight=tensors[f"{name}.weight"], bias=tensors[f"{name}.bias"])
