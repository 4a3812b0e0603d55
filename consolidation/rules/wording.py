"""Wording: a statement as the words that make its meaning, each in one form, in the order in which they stand."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from consolidation.rules.same_words import CHINESE, ENGLISH

Word = frozenset[str]
"""The forms that one word may be: two words are the same where they have one in common."""


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """words: without what says nothing. ordered: who does what to whom hangs on their order.

    is_a, has: what the person is, or what he or she has; a doctor is neither the one nor the other by its words alone.
    """

    words: tuple[Word, ...]
    ordered: bool
    is_a: bool
    has: bool


_CONTRACTED = (
    (regex.compile(r"\bcan(?:no|')t\b", regex.I), "can not"),
    (regex.compile(r"\bwon't\b", regex.I), "will not"),
    (regex.compile(r"(?<=\w)n't\b", regex.I), " not"),
    (regex.compile(r"(?<=\w)'(?:re|m)\b", regex.I), " are"),
    (regex.compile(r"(?<=\w)'ve\b", regex.I), " have"),
    (regex.compile(r"(?<=\w)'ll\b", regex.I), " will"),
    (regex.compile(r"(?<=\w)'s\b", regex.I), ""),
)
_PHRASES = (
    (regex.compile(r"\b(?:is|are|am) (?:a |an )?(?:big |huge |great )?(?:fan|lover) of\b|\b(?:is|are|am) (?:very )?(?:fond of|keen on)\b", regex.I), "likes"),
    (regex.compile(r"\bcan not (?:stand|bear)\b|\bdo(?:es)? not (?:like|enjoy)\b", regex.I), "hates"),
    (regex.compile(r"\b(?:works?|working) (?:for|at)\b(?! (?:home|nights?|the weekend|weekends|\d))|\b(?:is|are|am) employed (?:by|at)\b", regex.I), "employer"),
    (regex.compile(r"\b(?:is|are|am) based in\b", regex.I), "lives in"),
    (regex.compile(r"\bworks? as (?=an?\b)", regex.I), "is "),
    (regex.compile(r"\bdo(?:es)? not eat (?:any )?(?=\w)|\beats? no\b", regex.I), "eat not "),
    (regex.compile(r"\b(?:from|at) home\b", regex.I), "home"),
    (regex.compile(r"\bsuffers? from\b|\b(?:is|are|am) suffering from\b", regex.I), "has"),
    (regex.compile(r"\bdaily\b|\b(?:every|each) ?day\b", regex.I), "every day"),
    (regex.compile(r"\bweekly\b", regex.I), "every week"),
    (regex.compile(r"\b(?:has|have) to\b|\bneeds? to\b|\bmust\b", regex.I), "must"),
    (regex.compile(r"\bused to\b|\bformerly\b|\bpreviously\b|\bdid\b|\bwas\b|\bwere\b|\bhad\b|\bex-", regex.I), " formerly "),
    (regex.compile(r"\bgo(?:es)? (?=(?:jogg|runn|swimm|hik|cycl|climb)ing\b)", regex.I), ""),
    (regex.compile(r"\bto (?=(?:cook|read|hike|run|swim|draw|sing|dance|travel|write|bake|knit|climb|cycle|jog)\b)", regex.I), ""),
    (regex.compile(r"\b(?:light|dark) theme\b", regex.I), lambda found: found[0][:-5] + "mode"),
    (regex.compile(r"\b(?:date of birth)\b", regex.I), "birthday"),
    (regex.compile(r"\b(?:last|family) name\b", regex.I), "surname"),
    (regex.compile(r"\bgiven name\b", regex.I), "first name"),
    (regex.compile(r"\bat the moment\b|\bthese days\b|\bright now\b|\b(?:a lot|very much)(?=[.!]*$)|\bdo(?:es)? (?=not\b)", regex.I), ""),
    (regex.compile(r"^\s*(?:called|named)\b", regex.I), "phoned"),
    (regex.compile(r"\bmay\b"), "might"),
    (regex.compile(r"\bwill\b"), "shall"),
)  # fmt: skip
_EMPTY = _split(
    "the a an of at in on to as and is are am be been being has have own owns owning possess possesses got called named name names "
    "i my mine myself we our ours their theirs they themselves this that these those it its there "
    "now currently still already just also very really quite so actually personally definitely nowadays presently "
    "usually normally generally mostly typically always often regularly but"
)
"""What is said in many ways or not at all. Whatever tells two statements apart is none of these: with, for, not, only, sometimes, will."""
LOOSE_MAX = 3
"""Words of a statement that may stand in any order: "a peanut allergy"; of more, who has which hangs on it."""
_TURNS = _split(
    "from than over prefer instead rather before after until between for by if when while unless because gave gives give sent sends send told tells tell "
    "mother father sister brother wife husband partner girlfriend boyfriend son daughter child grandmother grandfather aunt uncle niece nephew "
    "cousin parent parents friend friends colleague colleagues boss manager neighbour teacher doctor dog cat"
)
"""Beside one of these, the order of the others tells who does what."""
_DATES = _split(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
_SPEAKER = regex.compile(r"^(?:the )?user\b|^用户|^我们?", regex.I)
_BE = frozenset({"is", "are", "am", "be", "been"})
_ADVERBS = frozenset({"now", "currently", "still", "already", "just", "also", "really", "not"})
_PLURAL_ONLY = _split(
    "news goods shorts customs arms pants jeans glasses physics maths series species politics looks works sales savings"
)
_HAS = regex.compile(
    r"^(?:the user|user|i|we|they)\s+(?:\w+ly\s+)?(?:has|have|owns?|possess(?:es)?)\b|^(?:the user's|user's|my|our|their)\b|^(?:用户|我)的",
    regex.I,
)
_IS_A = regex.compile(
    r"^(?:the user|user|i|we|they)\s+(?:\w+ly\s+)?(?:is|am|are|works? as|is employed as)\s+(?:\w+ly\s+)?an?\b|^(?:用户|我)是",
    regex.I,
)

_LOVES = regex.compile(r"(?<!不)爱(?=吃|喝|看|听|玩|用|跑|打|去|游|画|读|写|做|唱|跳|养|逛|爬|骑|钓|旅|弹|拍)")
_NUMERAL = regex.compile(
    r"(?<![一二两三四五六七八九十百千万第])(?:[二三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])(?=点|岁|个|次|号|月|只|条)"
)
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_CHINESE_WORD = regex.compile("|".join(sorted(CHINESE, key=len, reverse=True)))
_CHINESE_EMPTY = regex.compile(
    r"是一[名位个]|我(?=的)|自己|非常|十分|特别|比较|真的|平时|一般|通常|经常|现在|目前|如今|正在|正|在(?=学|读|用|找|写)|[的着地得很挺也还都就是在于对]"
)

_TOKEN = regex.compile(
    r"(?P<whole>\S+@[\w.-]+\w|https?://\S+|www\.\S+)|(?P<code>[A-Za-z]+-?\d[\w-]*|[A-Za-z]\+\+|[A-Za-z]#)"
    r"|(?P<number>\d+(?:[.,:/-]\d+)*)|(?P<sign>[£$€¥%<>+=])|(?P<han>〔\p{Han}+〕|\p{Han})|(?P<word>[\p{Latin}\p{Cyrillic}\p{Greek}]+|\p{L})"
)  # fmt: skip


def wording_of(text: str) -> Wording:
    """Return a statement about the person who is called the user, or who speaks, in English or Chinese."""
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").split())
    for pattern, other in _CONTRACTED[:-1]:
        plain = pattern.sub(other, plain)
    is_a, has = bool(_IS_A.match(plain)), bool(_HAS.match(plain))
    plain = _CONTRACTED[-1][0].sub(_CONTRACTED[-1][1], plain)
    plain = _SPEAKER.sub("", plain)
    for phrase, instead in _PHRASES:
        plain = phrase.sub(instead, plain)
    plain = _chinese(plain)
    found = list(_words(plain))
    at = {one.name_at for one in found if one.name_at}
    names = sum(place - 1 not in at for place in at)
    ordered = (
        names > 1 or len(found) > LOOSE_MAX or any(one.is_han or not _TURNS.isdisjoint(one.word) for one in found)
    )
    return Wording(words=tuple(one.word for one in found), ordered=ordered, is_a=is_a, has=has)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    word: Word
    name_at: int = 0
    is_han: bool = False


def _words(plain: str) -> Iterator[_Found]:
    before = ""
    for place, token in enumerate(_TOKEN.finditer(plain)):
        said = token[0]
        low = said.casefold()
        if token["han"]:
            yield _Found(word=frozenset({said.strip("〔〕")}), is_han=True)
        elif not token["word"]:
            yield _Found(word=frozenset({low.replace(",", "") if token["number"] else low}))
        elif low not in _EMPTY:
            named = said[:1].isupper() and place > 0 and low not in ENGLISH and low not in _DATES
            yield _Found(word=_forms(said, goes_on=before in _BE), name_at=place if named else 0)
        if low not in _ADVERBS:
            before = low


def _forms(said: str, *, goes_on: bool) -> Word:
    """Return what a word may be: itself, without the ending of a plural or of the third person, a verb that goes on.

    A name is itself alone: Williams is not William. Nor is training trains, nor fishing fish.
    """
    low = said.casefold()
    if low in ENGLISH:
        return frozenset({ENGLISH[low]})
    if said[:1].isupper():
        return frozenset({low})
    low = "".join(sign for sign in unicodedata.normalize("NFD", low) if not unicodedata.combining(sign))
    forms = {low}
    if low in _PLURAL_ONLY:
        return frozenset(forms)
    if goes_on and low.endswith("ing") and len(low) > len("going"):
        stem = low.removesuffix("ing")
        forms |= {stem, f"{stem}e"} | ({stem[:-1]} if stem[-1] == stem[-2] else set())
    elif low.endswith("ies") and len(low) > len("lies"):
        forms |= {f"{low[:-3]}y", low[:-1]}
    elif low.endswith("es") and low[-3:-2] in set("sxzho"):
        forms |= {low[:-1], low[:-2]}
    elif low.endswith("s") and low[-2:-1] not in set("sui") and len(low) > len("gas"):
        forms |= {low[:-1]}
    return frozenset({ENGLISH.get(form, form) for form in forms})


def _chinese(text: str) -> str:
    """Return a text with the words of a meaning as one, each in brackets that no text has, and without the empty ones."""
    text = _LOVES.sub("喜欢", regex.sub("[〔〕]", "", text).replace("用户", "〔我〕").replace("我们", "我"))
    text = _NUMERAL.sub(lambda found: str(_number(found[0])), text)
    parts = regex.split(rf"({_CHINESE_WORD.pattern})", text)
    return "".join(f"〔{CHINESE[part]}〕" if part in CHINESE else _CHINESE_EMPTY.sub("", part) for part in parts)


def _number(numeral: str) -> int:
    if "十" not in numeral:
        return _DIGITS[numeral]
    tens, _, ones = numeral.partition("十")
    return _DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)
