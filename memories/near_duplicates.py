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
_LETTER = regex.compile(r"[^\W\p{Han}]")
_HALF, _OTHER_HALF = regex.compile(r"\d[.,:/]"), regex.compile(r"[.,:/]\d")
"""Of a number with a mark in it."""
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
            met = next((other for other, words in sayings if _has(said, words)), None)
            turns.append((key, said))
        elif kind == names.SEMANTIC and is_saying(text):
            words = _plain(words_of_saying(text))
            met = next((other for other, said in turns if _has(said, words)), None)
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
            met = next((one for one, words in sayings.items() if len(said) <= SHORT and _has(said, words)), None)
            if met is not None:
                behind[met] = key
                del sayings[met]
    return behind


def _has(said: str, words: str) -> bool:
    """Say whether a text has some words in a row, none as a piece of a longer word or number. No text has none."""
    at = said.find(words) if words else -1
    while at >= 0:
        if not _goes_on(said, at) and not _goes_on(said, at + len(words)):
            return True
        at = said.find(words, at + 1)
    return False


def _goes_on(said: str, at: int) -> bool:
    """Say whether a word or a number goes on across a place of a text; each Chinese character is a word."""
    before, after = said[max(at - 2, 0) : at], said[at : at + 2]
    if _LETTER.match(before[-1:]) and _LETTER.match(after):
        return True
    return bool(_HALF.fullmatch(before) and after[:1].isdigit()) or bool(
        before[-1:].isdigit() and _OTHER_HALF.fullmatch(after)
    )


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", unicodedata.normalize("NFC", text).translate(_WIDE).casefold()).split())
