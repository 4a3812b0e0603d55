"""The encoder as a graph of ONNX, with the operators that ONNX Runtime has for BERT.

Sources: Devlin et al., "BERT", 2019; https://onnx.ai/onnx/operators/ and ONNX Runtime's ContribOperators.md.
"""

from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from backends.bert.weights import BLOCK, FourBits, Layer, Linear, Norm, Weights

IN, OUT = "summed", "hidden"
_OURS, _THEIRS = "", "com.microsoft"
OPSET, IR = 20, 10
ACCURACY = 4
"""Of products with weights in four bits: the other side in eight. Source: MatMulNBits' accuracy_level."""


def graph_of(weights: Weights) -> ModelProto:
    """Return the model: from sums of tokens' vectors, shape (1, tokens, width), to their last hidden states."""
    return _Graph(weights).model()


class _Graph:
    """A graph while it grows; each step returns the name of what it made."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[NodeProto] = []
        self._held: list[TensorProto] = []

    def model(self) -> ModelProto:
        weights = self._weights
        width = len(weights.norm.bias)
        self._hold("thirds", np.full(3, width, dtype=np.int64))
        x = self._add(
            "LayerNormalization",
            [IN, *self._norm("norm", weights.norm)],
            "normed",
            _OURS,
            axis=-1,
            epsilon=weights.epsilon,
        )
        for number, layer in enumerate(weights.layers):
            x = self._layer(x, f"layer{number}", layer)
        self._add("Identity", [x], OUT, _OURS)
        shape: list[str | int | None] = [1, "tokens", width]
        ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, shape) for end in (IN, OUT)]
        graph = helper.make_graph(self._nodes, "bert", ends[:1], ends[1:], self._held)
        opsets = [helper.make_opsetid(_OURS, OPSET), helper.make_opsetid(_THEIRS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR)

    def _layer(self, x: str, name: str, layer: Layer) -> str:
        x = self._with(x, self._attention(x, name, layer), f"{name}.attended_norm", layer.attended_norm)
        active = self._add("Gelu", [self._linear(x, f"{name}.widened", layer.widened)], f"{name}.active")
        narrowed = self._linear(active, f"{name}.narrowed", layer.narrowed)
        return self._with(x, narrowed, f"{name}.out", layer.narrowed_norm)

    def _attention(self, x: str, name: str, layer: Layer) -> str:
        joined = self._linear(x, f"{name}.attention", layer.attention)
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        self._nodes.append(helper.make_node("Split", [joined, "thirds"], parts, axis=-1))
        taken = self._add("MultiHeadAttention", parts, f"{name}.taken", num_heads=self._weights.heads)
        return self._linear(taken, f"{name}.attended", layer.attended)

    def _with(self, x: str, more: str, name: str, norm: Norm) -> str:
        """Add to x, and normalise."""
        ends = self._norm(name, norm)
        return self._add("SkipLayerNormalization", [x, more, *ends], name, epsilon=self._weights.epsilon)

    def _linear(self, x: str, name: str, linear: Linear) -> str:
        bias = self._hold(f"{name}.bias", linear.bias)
        weight = linear.weight
        if not isinstance(weight, FourBits):
            held = self._hold(f"{name}.weight", weight.T)
            return self._add("Add", [self._add("MatMul", [x, held], f"{name}.product", _OURS), bias], name, _OURS)
        pairs = weight.bits[..., 0::2] | weight.bits[..., 1::2] << 4
        held, scales = self._hold(f"{name}.weight", pairs), self._hold(f"{name}.scales", weight.scales.reshape(-1))
        rows, blocks = weight.scales.shape
        form = {"K": blocks * BLOCK, "N": rows, "bits": 4, "block_size": BLOCK, "accuracy_level": ACCURACY}
        return self._add("MatMulNBits", [x, held, scales, "", "", bias], name, **form)

    def _norm(self, name: str, norm: Norm) -> list[str]:
        return [self._hold(f"{name}.scale", norm.weight), self._hold(f"{name}.shift", norm.bias)]

    def _hold(self, name: str, values: Any) -> str:
        self._held.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _add(self, operator: str, inputs: list[str], output: str, domain: str = _THEIRS, **form: Any) -> str:
        self._nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **form))
        return output
