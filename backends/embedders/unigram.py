"""The tokenizer of SentencePiece's unigram model: the likeliest pieces that a text can be cut into.

Source: Kudo, "Subword Regularization", 2018, section 3.2 (Viterbi).
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import regex

SPACE = "\u2581"
"""Stands for a space, before the word."""
UNKNOWN_PENALTY = 10.0
"""Below the lowest score of a piece. Source: SentencePiece's unigram_model.cc, kUnkPenalty."""
_SPACES = regex.compile(" {2,}")


class Unigram:
    """A vocabulary.

    pieces, scores: by number. characters: what a character becomes first. without: pieces that stand for no text.
    """

    def __init__(
        self,
        pieces: Iterable[str],
        scores: Iterable[float],
        characters: Mapping[int, str],
        *,
        unknown: int,
        without: Iterable[int],
    ) -> None:
        left_out = {*without, unknown}
        self._characters = characters
        self._unknown = unknown
        self._numbers = {piece: number for number, piece in enumerate(pieces) if number not in left_out}
        self._scores = array("d", scores)
        self._longest = max(map(len, self._numbers))
        self._unknown_score = min(self._scores) - UNKNOWN_PENALTY

    def numbers(self, text: str, most: int) -> list[int]:
        """Return the pieces' numbers, the first `most` of them."""
        plain = _SPACES.sub(" ", text.translate(self._characters))
        plain = plain.removeprefix(" ")
        words = (SPACE + word for word in plain.split(" "))
        return list(islice((number for word in words for number in self._cut(word)), most))

    def _cut(self, word: str) -> Iterator[int]:
        """Yield the numbers of the pieces whose scores have the largest sum."""
        numbers, scores, length = self._numbers, self._scores, len(word)
        best = [(0.0, 0, 0)] + [(float("-inf"), 0, 0)] * length  # sum, piece, where it begins
        for start in range(length):
            reached = best[start][0]
            unknown = reached + self._unknown_score
            if unknown > best[start + 1][0]:
                best[start + 1] = (unknown, self._unknown, start)
            for stop in range(start + 1, min(length, start + self._longest) + 1):
                number = numbers.get(word[start:stop])
                if number is not None and reached + scores[number] > best[stop][0]:
                    best[stop] = (reached + scores[number], number, start)
        found = []
        while length:
            _, number, length = best[length]
            found.append(number)
        return reversed(found)
