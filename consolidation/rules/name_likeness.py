"""Likeness of names: whether two names are likely to be of one and the same thing.

Equal once letter case, articles and legal forms are aside (things.plain_name) is the same. What is only likely is asked: by
the words, and not by vectors of names, which are as near for 工商银行 and 农业银行 (0.96) as for Siemens and Siemens AG.
"""

import unicodedata

import regex

from consolidation.rules.things import PERSON, plain_name

NAMES_NEAR = 0.975
"""The least cosine of two names that is asked about where their words tell nothing: of 30 pairs that differ none had it."""
_PLACE = "place"
_JOINS = frozenset({"of", "the", "and", "&", "de", "la"})
_GENERIC = regex.compile(
    r"banks?|group|holdings?|motors|automotive|university|technolog(?:y|ies)|systems|software|labs|studios|media|international|"
    r"global|uk|usa|europe|china|airlines|airways|foods|stores|supermarkets?|insurance|energy|services|solutions|consulting|partners"
)
_GENERIC_HAN = regex.compile(r"(?:技术|科技|通信|电子|汽车|电器|股份|控股|超市|银行|保险|地产|集团|中国)+")
_WORD = regex.compile(r"[\p{L}\p{M}&]+|\d[\d.]*")
_TYPO_MIN = 7
"""Letters of a name in which one that differs is more likely a slip than another name."""
_INITIALS_MIN = 3


def same_name(one: str, other: str) -> bool:
    """Say whether two names are one, letter case, articles and legal forms aside."""
    return _plain(one) == _plain(other)


def likely_same(one: str, other: str, *, entity_type: str) -> bool:
    """Say whether two names of one type may well mean one thing; a number or a model tells things apart."""
    if same_name(one, other):
        return True
    first, second = sorted((_words(one), _words(other)), key=len)
    if not first or not may_be_one(one, other):
        return False
    if len(first) > 1 and sorted(first) == sorted(second):
        return True
    if entity_type == PERSON:
        return len(first) == 1 and len(second) == len(first) + 1 and second[0] == first[0]
    if _abbreviates(one, other) or _abbreviates(other, one):
        return True
    return entity_type != _PLACE and (_is_longer(first, second) or _is_a_slip(_plain(one), _plain(other)))


def may_be_one(one: str, other: str) -> bool:
    """Say whether nothing in two names tells them apart for certain: the numbers in them are the same."""
    return regex.findall(r"\d+", one) == regex.findall(r"\d+", other)


def _plain(name: str) -> str:
    folded = "".join(
        sign for sign in unicodedata.normalize("NFKD", plain_name(name)) if not unicodedata.combining(sign)
    )
    return " ".join(folded.split())


def _words(name: str) -> list[str]:
    return [word for word in _WORD.findall(_plain(name)) if word not in _JOINS]


def _abbreviates(short: str, long: str) -> bool:
    """Say whether a name in capitals is made of the first letters of the other."""
    letters = short.replace(".", "")
    initials = "".join(word[0] for word in _WORD.findall(long) if word.casefold() not in _JOINS)
    return len(letters) >= _INITIALS_MIN and letters.isupper() and letters.isascii() and letters == initials.upper()


def _is_longer(short: list[str], long: list[str]) -> bool:
    """Say whether one name is the other with what sort of company it is behind it."""
    rest = long[len(short) :]
    if rest and long[: len(short)] == short:
        return all(_GENERIC.fullmatch(word) for word in rest)
    if len(short) == len(long) == 1 and regex.fullmatch(r"\p{Han}{2,}", short[0]):
        two = sorted((short[0], long[0]), key=len)
        return two[1].startswith(two[0]) and bool(_GENERIC_HAN.fullmatch(two[1][len(two[0]) :]))
    return False


def _is_a_slip(one: str, other: str) -> bool:
    """Say whether two long names differ in one letter, or in two that changed places."""
    short, long = sorted((one, other), key=len)
    if len(short) < _TYPO_MIN or len(long) - len(short) > 1 or short[0] != long[0] or not (short + long).isalpha():
        return False
    if not (short + long).isascii():
        return False
    at = next((place for place, sign in enumerate(short) if sign != long[place]), len(short))
    if len(long) > len(short):
        return short[at:] == long[at + 1 :]
    return short[at + 1 :] == long[at + 1 :] or (
        short[at + 2 :] == long[at + 2 :] and short[at : at + 2] == long[at : at + 2][::-1]
    )
