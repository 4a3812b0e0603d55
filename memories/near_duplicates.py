"""Near duplicates: memories that say the same in the same words, give or take case, marks and spaces."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import regex

from backends.search import names
from memories.sayings import is_saying, words_of_saying

_MARKS = regex.compile(r"(?<!\d)[.,;:!'\"…“”‘’。，；：！、]+(?!=)|[.,;:!'\"…“”‘’。，；：！、]+(?![\d=])")
"""Marks that change nothing; those between digits, and all of which codes, formulas and questions are made, stay."""
SHORT = 400
"""Characters of a turn that is read at a glance. Set by us."""
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
        said = _plain(text)
        if not said:
            continue
        held = first.setdefault((kind, said), key)
        if held != key:
            repeats[key] = held
    return repeats


def parts_of(texts: Iterable[tuple[Any, str, str]]) -> Mapping[Any, Any]:
    """Return of each saying and turn of which one has all the words of the other in a row, the worse placed, by key.

    texts: key, kind and text, best first. A saying is a sentence of a turn: an answer has the one or the other.
    """
    turns: list[tuple[Any, str]] = []
    sayings: list[tuple[Any, str]] = []
    repeats: dict[Any, Any] = {}
    for key, kind, text in texts:
        if kind == names.EPISODIC:
            said = _plain(text)
            met = next((other for other, words in sayings if words in said), None)
            turns.append((key, said))
        elif kind == names.SEMANTIC and is_saying(text):
            words = _plain(words_of_saying(text))
            met = next((other for other, said in turns if words in said), None)
            sayings.append((key, words))
        else:
            continue
        if met is not None:
            repeats[key] = met
    return repeats


def turns_behind(texts: Iterable[tuple[Any, str, str]]) -> Mapping[Any, Any]:
    """Return of each saying the worse placed short turn that it is a sentence of, by key.

    texts: as for parts_of. The turn is what was said, with what was said around the sentence.
    """
    sayings: dict[Any, str] = {}
    behind: dict[Any, Any] = {}
    for key, kind, text in texts:
        if kind == names.SEMANTIC and is_saying(text):
            sayings[key] = _plain(words_of_saying(text))
        elif kind == names.EPISODIC and sayings:
            said = _plain(text)
            met = next((one for one, words in sayings.items() if words in said and len(said) <= SHORT), None)
            if met is not None:
                behind[met] = key
                del sayings[met]
    return behind


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", unicodedata.normalize("NFC", text).translate(_WIDE).casefold()).split())
