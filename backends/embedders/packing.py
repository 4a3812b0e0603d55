"""Several vectors as bytes: half precision, which is all that the engines keep of them."""

import numpy as np

from backends.embedders.base import Vectors

_HALF = np.dtype("<f2")


def pack(vectors: Vectors) -> bytes:
    """Return vectors as bytes, row after row."""
    return vectors.astype(_HALF).tobytes()


def unpack(packed: bytes, *, dimensions: int) -> Vectors:
    """Return the vectors. Raises ValueError, when the bytes are no whole rows of so many numbers."""
    return np.frombuffer(packed, dtype=_HALF).reshape(-1, dimensions).astype(np.float32)


def packed_length(count: int, *, dimensions: int) -> int:
    """Return how many bytes so many vectors are."""
    return count * dimensions * _HALF.itemsize
