"""The weights of a BERT encoder, in full or in four bits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

BLOCK = 32
"""Numbers that share a scale, of weights in four bits."""
ZERO = 8
"""The four bits that stand for 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FourBits:
    """A matrix in four bits. scales: (rows, blocks). bits: (rows, blocks, BLOCK), each from 0 to 15.

    A number is (bits - ZERO) * its block's scale.
    """

    scales: Array
    bits: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """A layer's matrix, (outputs, inputs), and bias, (outputs,)."""

    weight: Array | FourBits
    bias: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Norm:
    """A layer norm's weight and bias."""

    weight: Array
    bias: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer. attention: query, key and value, one below the other."""

    attention: Linear
    attended: Linear
    attended_norm: Norm
    widened: Linear
    narrowed: Linear
    narrowed_norm: Norm


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What stands behind the sums of a token's vectors. heads: of the attention. epsilon: of the norms."""

    norm: Norm
    layers: Sequence[Layer]
    heads: int
    epsilon: float


def stacked(parts: Sequence[Linear]) -> Linear:
    """Return several layers of the same input as one; all in full, or all in four bits."""
    bias = np.concatenate([part.bias for part in parts])
    packed = [part.weight for part in parts if isinstance(part.weight, FourBits)]
    if not packed:
        full = [part.weight for part in parts if not isinstance(part.weight, FourBits)]
        return Linear(weight=np.concatenate(full), bias=bias)
    scales = np.concatenate([one.scales for one in packed])
    return Linear(weight=FourBits(scales=scales, bits=np.concatenate([one.bits for one in packed])), bias=bias)
