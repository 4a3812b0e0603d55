"""Steps: what an answer tells somebody to do, in order; and which of two texts speak of the same."""

from collections.abc import Iterable
from itertools import pairwise

import regex

STEPS_MIN, STEPS_MAX = 2, 20
STEP_MAX_LENGTH = 500
_STEP = regex.compile(
    r"^[ \t]*(?:\d{1,2}[.)、．]|[-*•]|(?:step|步骤|第)\s*[\d一二三四五六七八九十]{1,2}(?:步)?[.:：、)]?)\s*(?P<step>\S.{2,})$",
    regex.M | regex.I,
)
_INLINE = regex.compile(
    r"(?:^|[\s.;。；])(?:\(?\d{1,2}[.)、]|[①②③④⑤⑥⑦⑧⑨])\s*(?P<step>[^\d①-⑨].{2,200}?)(?=(?:[\s.;。；]+\(?\d{1,2}[.)、]|[①②③④⑤⑥⑦⑧⑨])|\s*$)"
)
_WORD = regex.compile(r"\p{Han}|[\p{L}\p{N}]+")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "did",
        "do",
        "does",
        "doing",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "no",
        "not",
        "of",
        "off",
        "on",
        "or",
        "our",
        "out",
        "she",
        "so",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "they",
        "this",
        "to",
        "too",
        "try",
        "up",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "which",
        "who",
        "will",
        "with",
        "you",
        "your",
        "again",
        "please",
        "still",
        "now",
    ]
)


def steps_of(answer: str) -> tuple[str, ...]:
    """Return the numbered or listed steps of an answer; none, when there are fewer than two."""
    found = [step["step"].strip() for step in _STEP.finditer(answer)]
    if len(found) < STEPS_MIN:
        found = [step["step"].strip(" .;。；") for step in _INLINE.finditer(answer)]
    return tuple(step[:STEP_MAX_LENGTH] for step in found[:STEPS_MAX]) if len(found) >= STEPS_MIN else ()


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about; of Chinese, pairs of characters."""
    tokens = _WORD.findall(text.casefold())
    latin = {_stem(token) for token in tokens if token.isascii() and token not in _STOP and len(token) > 1}
    han = [token for token in tokens if not token.isascii()]
    return frozenset(latin | {first + second for first, second in pairwise(han)})


def overlap(words: Iterable[str], others: Iterable[str]) -> float:
    """Return which part of the smaller set both have, in [0, 1]; 0 for sets too small to tell."""
    one, other = set(words), set(others)
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller > 1 else 0.0


def _stem(word: str) -> str:
    for ending in ("ting", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > len("xx"):
            return word.removesuffix(ending)
    return word
