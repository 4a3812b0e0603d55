"""Numbers: which memory a sentence gives another number to, such as an age, a rent, a dose or a version."""

from collections.abc import Iterator, Mapping, Sequence
from math import log
from uuid import UUID

import regex

from consolidation.rules.clauses import clauses_of
from consolidation.rules.judgement import Held
from consolidation.rules.sayings.topic import topic

NEAR = log(2)
"""How far apart the two numbers may be, as a ratio. Set by us."""
DIGITS_MAX = 15
"""Of a number; what is longer counts nothing, and no float has all of them."""
_CHINESE = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
_NUMBER = regex.compile(r"(?<![\d.,:/-])\d+(?:[.,]\d+)*(?![\d:/-])|[一二两三四五六七八九十](?=年级|岁|楼|个人|成)")
_ANY = regex.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = regex.compile(r"\p{L}{2,}")


def renumbered(said: str, held: Sequence[Held], words_of: Mapping[UUID, str]) -> list[Held]:
    """Return the memories of which a sentence says the same with another number, near to theirs: for each number the nearest.

    words_of: what each memory says, by its id.
    """
    gone: dict[UUID, Held] = {}
    for clause, number in _numbered(said):
        new = topic(clause)
        found = [
            (apart, one)
            for one in held
            for old_clause, old in _numbered(words_of[one.id])
            if (apart := _apart(number, old)) is not None
            and any(_WORD.search(word) for word in new & topic(old_clause))
        ]
        nearest = min((apart for apart, _ in found), default=0.0)
        gone.update((one.id, one) for apart, one in found if apart == nearest)
    return list(gone.values())


def numbers_of(said: str) -> frozenset[str]:
    """Return the numbers of a sentence, as written."""
    return frozenset(_ANY.findall(said))


def _numbered(said: str) -> Iterator[tuple[str, str]]:
    """Yield each number of a sentence with the clause it stands in."""
    for start, end in clauses_of(said):
        clause = said[start:end]
        for number in _NUMBER.findall(clause):
            if sum(character.isdigit() for character in number) <= DIGITS_MAX:
                yield clause, str(_CHINESE.get(number, number))


def _apart(new: str, old: str) -> float | None:
    """Return how far two numbers of one shape are apart, as the logarithm of their ratio; None: they are no pair."""
    if new == old or new.count(".") != old.count("."):
        return None
    values = [float(".".join(number.replace(",", "").split(".")[:2])) for number in (new, old)]
    if min(values) <= 0:
        return None
    apart = abs(log(values[0]) - log(values[1]))
    return apart if apart <= NEAR else None
