"""Near duplicates: memories that say the same in the same words, give or take case, marks and spaces."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import regex

_MARKS = regex.compile(r"(?<!\d)[.,;:!'\"…“”‘’。，；：！、]+(?!=)|[.,;:!'\"…“”‘’。，；：！、]+(?![\d=])")
"""Marks that change nothing; those between digits, and all of which codes, formulas and questions are made, stay."""
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width letters, digits and marks, as Chinese keyboards make them."""


def same_as(texts: Iterable[tuple[Any, str, str]]) -> Mapping[Any, Any]:
    """Return of each duplicate the better placed one that it repeats; both by key.

    texts: key, kind and text, best first; two kinds never repeat one another. Case, marks and spaces do not matter;
    numbers, names, negations and every other word do: "PR 260" is not "PR 480", and "likes" is not "does not like".
    """
    first: dict[tuple[str, str], Any] = {}
    repeats: dict[Any, Any] = {}
    for key, kind, text in texts:
        said = " ".join(_MARKS.sub("", unicodedata.normalize("NFC", text).translate(_WIDE).casefold()).split())
        if not said:
            continue
        held = first.setdefault((kind, said), key)
        if held != key:
            repeats[key] = held
    return repeats
