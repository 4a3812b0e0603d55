"""Where words begin and end, as Lucene's standard tokenizer and its filters for Chinese, Japanese and Korean have it.

The classes are Unicode's own (Word_Break, Script, Line_Break, Emoji). Source: Unicode UAX 29, rules WB3 to WB13;
UTS 51, emoji_sequence; Lucene 10, StandardTokenizer, CJKWidthFilter, CJKBigramFilter.
"""

import unicodedata
from collections.abc import Iterator

import regex

WORD_MAX_LENGTH = 255
"""Characters; a longer word is cut into pieces of this length. Source: Lucene, StandardTokenizer.maxTokenLength."""

_MODIFIER = r"[\U0001F3FB-\U0001F3FF]"
_MARK = r"[\p{WB=Format}\p{WB=Extend}\p{WB=ZWJ}]"


def _with_marks(characters: str) -> str:
    """Return the pattern of one character of a class and the marks that belong to it (WB4)."""
    return rf"(?:{characters}{_MARK}*+)"


_LETTER = _with_marks(r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]")
_HEBREW = _with_marks(r"\p{WB=Hebrew_Letter}")
_NUMBER = _with_marks(r"[\p{WB=Numeric}\uFF10-\uFF19]")
_KATAKANA = _with_marks(r"\p{WB=Katakana}")
_JOINER = _with_marks(r"\p{WB=ExtendNumLet}")
_IN_LETTERS = _with_marks(r"[\p{WB=MidLetter}\p{WB=MidNumLet}\p{WB=Single_Quote}]")
_IN_NUMBERS = _with_marks(r"[\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}]")
_SINGLE, _DOUBLE = _with_marks(r"\p{WB=Single_Quote}"), _with_marks(r"\p{WB=Double_Quote}")

_NUMBERS = rf"{_NUMBER}(?:(?:{_JOINER}*|{_IN_NUMBERS}){_NUMBER})*"
_LETTERS = rf"{_LETTER}(?:(?:{_JOINER}*|{_IN_LETTERS}){_LETTER})*"
_AFTER_HEBREW = rf"(?<=\p{{WB=Hebrew_Letter}}{_MARK}*)(?:{_SINGLE}|{_DOUBLE}{_HEBREW})"
_PART = rf"(?:{_KATAKANA}(?:{_JOINER}*{_KATAKANA})*|(?:{_NUMBERS}|{_LETTERS}(?:{_AFTER_HEBREW})?)+)"
# A run of joiners, or of ZWJs below, is tried from its start only: from each of its characters would cost its square.
_LEAD = rf"(?:(?=\p{{WB=ExtendNumLet}})(?<!\p{{WB=ExtendNumLet}}{_MARK}*){_JOINER}++)?"
_WORD = rf"{_LEAD}{_PART}(?:{_JOINER}+{_PART})*{_JOINER}*"

_ZWJ = r"(?:(?<!\u200D)\u200D++)?"
_PICTURE = r"[\p{Extended_Pictographic}[\p{Emoji}--[0-9#*\p{RI}\U0001F3FB-\U0001F3FF]]]"
_LOOSE_MARK = rf"[{_MARK}--[\uFE0E\uFE0F]]*+"
_EMOJI_PART = (
    rf"(?:{_ZWJ}{_PICTURE}{_LOOSE_MARK}\uFE0F?"
    rf"|(?:{_ZWJ}\p{{Emoji_Modifier_Base}}{_LOOSE_MARK})?{_MODIFIER}{_LOOSE_MARK})"
)
_EMOJI = (
    rf"{_EMOJI_PART}(?:[\U000E0020-\U000E007E]+\U000E007F|(?:\u200D*+(?<=\u200D){_EMOJI_PART})*)"
    rf"|[0-9#*][{_MARK}--[\uFE0E\uFE0F\u20E3]]*+\uFE0F?\u20E3{_LOOSE_MARK}"
    rf"|(?:\p{{RI}}{_MARK}*+){{2}}"
)
_CJK = rf"(?:[[\p{{Han}}\p{{Hiragana}}]--\p{{WB=ALetter}}]{_MARK}*+)+"
_SOUTH_EAST_ASIAN = rf"(?:\p{{LB=Complex_Context}}{_MARK}*+)+"

_UNSPACED = (
    r"[\u0E01-\u0E3A\u0E40-\u0E4E\u0E81-\u0EC6\u0EC8-\u0ECE\u0EDC-\u0EDF\u1000-\u103F\u1050-\u108F\u109A-\u109F"
    r"\u1780-\u17D3\u17D7\u17DC\u17DD\u1950-\u19C9\u1A20-\u1A7C\uA9E0-\uA9EF\uA9FA-\uA9FE\uAA60-\uAADF]"
)
"""Letters, vowels and tones of Thai, Lao, Burmese, Khmer and the Tai languages, which part no words by spaces.

Source: Unicode, LineBreak.txt, class SA, without Ahom.
"""
PAIRED, PAIRS = rf"({_UNSPACED})(?=({_UNSPACED}))|(?<={_UNSPACED}){_UNSPACED}", "$1$2 "
"""What is replaced by what, so that a run of these becomes its overlapping pairs; as Java's patterns have it."""

_PAIRED, _PAIRS = regex.compile(PAIRED), PAIRS.replace("$", "\\")
_TOKEN = regex.compile(rf"(?V1)(?P<word>{_WORD})|(?P<cjk>{_CJK})|{_EMOJI}|{_SOUTH_EAST_ASIAN}")
_KANA_OR_HANGUL = regex.compile(
    rf"(?V1)(?:\p{{WB=Katakana}}{_MARK}*+)+|(?:[\p{{Hangul}}&&\p{{WB=ALetter}}]{_MARK}*+)+"
)
_NARROW_KANA = regex.compile(r"[\u30A6-\u30FD]?[\uFF65-\uFF9F]+")
_WIDE_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def tokens(text: str) -> Iterator[str]:
    """Yield the words of a text in order, as written; runs of characters without spaces as overlapping pairs."""
    if not text.isascii():
        text = _PAIRED.sub(_PAIRS, text)
    run: list[str] = []
    run_ends_at = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        is_cjk = match["cjk"] is not None or (not token.isascii() and _KANA_OR_HANGUL.fullmatch(token) is not None)
        if run and not (is_cjk and match.start() == run_ends_at):
            yield from _pairs("".join(run))
            run.clear()
        if is_cjk:
            run.append(_even_width(token))
            run_ends_at = match.end()
        else:
            for start in range(0, len(token), WORD_MAX_LENGTH):
                yield _even_width(token[start : start + WORD_MAX_LENGTH])
    yield from _pairs("".join(run))


def lowered(token: str) -> str:
    """Return a word in lower case, character by character: no final sigma, no letter becomes two."""
    if token.isascii():
        return token.lower()
    return "".join(character.lower()[:1] for character in token)


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


def _even_width(token: str) -> str:
    """Return a token with wide ASCII made narrow and narrow katakana made wide."""
    if token.isascii():
        return token
    return _NARROW_KANA.sub(lambda kana: unicodedata.normalize("NFKC", kana[0]), token.translate(_WIDE_ASCII))
