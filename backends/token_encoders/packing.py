"""Token vectors as bytes: 8 bits a number and one scale a token. Quality is the same as with 32 bits.

Source: design note on recall, section 3, recipe C.
"""

import numpy as np
from numpy.typing import NDArray

from backends.token_encoders.base import Tokens

_SCALE = np.dtype("<f4")


def pack(vectors: Tokens) -> bytes:
    """Return a text's token vectors as bytes: all scales, then all numbers, token by token."""
    scales = (np.abs(vectors).max(axis=1) / 127).astype(_SCALE) if len(vectors) else np.empty(0, _SCALE)
    safe = np.where(scales > 0, scales, 1)
    numbers = np.rint(vectors / safe[:, None]).astype(np.int8)
    return scales.tobytes() + numbers.tobytes()


def unpack(packed: bytes, *, dimensions: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return the numbers, shape (tokens, dimensions), and the scale of each token.

    Raises ValueError, when the bytes are of other dimensions.
    """
    tokens, rest = divmod(len(packed), dimensions + _SCALE.itemsize)
    if rest:
        raise ValueError(f"{len(packed)} bytes are no tokens of {dimensions} dimensions")
    end = tokens * _SCALE.itemsize
    scales = np.frombuffer(packed, dtype=_SCALE, count=tokens)
    numbers = np.frombuffer(packed, dtype=np.int8, offset=end).reshape(tokens, dimensions)
    return numbers, scales
