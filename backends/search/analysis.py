"""How text becomes terms: one chain, the same in every engine and in the overlay.

Words as Lucene's standard tokenizer has them, folded to lower case, English possessives off, Lucene's English stop
words dropped, Snowball English (porter2) stems; Chinese, Japanese, Korean, and what South-East Asia writes without
spaces (Thai, Lao, Khmer, Burmese) as overlapping pairs of characters.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache
from threading import local

import regex
import Stemmer

from backends.search.tokens import lowered, tokens
from backends.search.words import CHINESE_QUESTION_PAIRS, QUESTION_WORDS, STOP_WORDS

_POSSESSIVE = regex.compile(r"(?<=.)['’][sS]$")
_RUNS = regex.compile(r"[\p{L}\p{N}]+")
_threads = local()


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeated as they occur."""
    return list(_terms(text))


def question_terms(text: str) -> list[str]:
    """Return the distinct terms of a question in order, question words dropped; all of them if none were left."""
    everything = list(dict.fromkeys(_terms(text)))
    telling = [term for term in everything if term not in question_stops()]
    return telling or everything


@lru_cache(maxsize=1)
def question_stops() -> frozenset[str]:
    """Return the analysed terms that questions drop."""
    return frozenset(stem(word) for word in QUESTION_WORDS) | CHINESE_QUESTION_PAIRS


def has_terms(text: str, wanted: Collection[str]) -> frozenset[str]:
    """Return which of the wanted terms a text has, by a quicker reading of it: good for a share, not for a score.

    Words are runs of letters and digits; pairs of characters, and codes, are looked for wherever they stand.
    """
    folded = text.lower()
    held = {stem(word) for word in _RUNS.findall(folded)}
    plain = {term for term in wanted if term.isascii() and term.isalpha()}
    return frozenset(term for term in wanted if term in held or (term not in plain and term in folded))


def _terms(text: str) -> Iterator[str]:
    for token in tokens(text):
        word = _POSSESSIVE.sub("", lowered(token))
        if word not in STOP_WORDS:
            yield stem(word)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a word in lower case."""
    # A stemmer is not safe to share between threads.
    if not hasattr(_threads, "stemmer"):
        _threads.stemmer = Stemmer.Stemmer("english", maxCacheSize=0)
    stemmed: str = _threads.stemmer.stemWord(word)
    return stemmed
