"""Clauses: what a person says, cut where one statement ends, and in what mood each is said."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import regex

from consolidation.rules.masks import MASK
from consolidation.rules.moods import (
    CHINESE_ASKS,
    CHINESE_HEDGES,
    CHINESE_QUESTION,
    CHINESE_REPORTED,
    CHINESE_SUPPOSES,
    HEDGES,
    QUESTION_OPENER,
    REPORTED,
    SUPPOSES,
)
from consolidation.rules.play import supposes_on
from memories.chinese import chinese_characters

CLAUSE_MAX_LENGTH = 400
"""Code points; what is longer is no statement that a rule understands."""
SENTENCES_MAX = 300
"""Of a turn; who writes more has pasted something."""

_SENTENCE = regex.compile(
    r"(?:[^.!?。！？；;\n]|(?<=\b(?:Dr|Mr|Mrs|Ms|St|vs|No|approx|Inc|Ltd|Co|Jr|Sr|Prof|Mt|Ave|Rd))\.|(?<=\b[a-zA-Z]\.[a-zA-Z])\.|\.(?=[^\s]))+"
    r"[.!?。！？；;]*|[.!?。！？；;]+"
)
_SUBJECT = (
    r"(?:I|I'm|I've|I'd|I'll|my|from now on|going forward|we|we're|we've|our|he|she|they|it|it's|you|this|that|there|please|can|could|would|will|"
    r"do|does|did|is|are|should|what|how|where|when|which|who|why|but|so|because|although|though|while|and I|and my|"
    r"and we|now|then|maybe|perhaps|however|thanks|any|no longer|instead|if)"
)
_ENGLISH_CUT = regex.compile(
    rf"(?<!\b(?:from now on|going forward|(?:in|for) (?:the )?future|from today|as of today))\s*[,–—-]\s+(?:and\s+|but\s+|so\s+)?(?={_SUBJECT}\b)|\s*,?\s+(?:but|because|although|though|however|whereas|so)\s+(?=(?:I|I'm|I've|my|we|we're|our|it|he|she|they|you|now|no)\b)"
    r"|\s*,?\s+and\s+(?=(?:I|I'm|I've|my|we|we're|we've|our|he|she|they|you|now|it)\b)"
    r"|\s+(?:[-–—]|\()\s*(?=\w)|\)\s*|(?<!\b(?:from now on|going forward|(?:in|for) (?:the )?future))\s*:\s+"
    r"|\s*,\s+(?=(?:moved|bought|joined|started|switched|adopted|sold|left|quit)\b)|\s*,?\s+and\s+(?=(?:live|work|have|love|like|use|drive|own|play|speak|prefer|hate|enjoy|study|teach|ride|eat|drink|am|was|moved|bought|got|joined|started|switched|became|adopted|sold|volunteer|collect|left|quit|don't|can't|never|no longer)\b)",
    regex.I,
)
_CHINESE_CUT = regex.compile(r"[，,：:（）()]|——|\s{2,}|(?<=\p{Han})\s+(?=\p{Han})")
_LATIN = regex.compile(r"[A-Za-z]{2,}")
_ENGLISH_SPEAKER = regex.compile(r"\b(?:I|I'm|I've|my|we|we've|our)\s+[a-z]", regex.I)
_CHINESE_WORDS = regex.compile(r"[我你他她它们的了吗呢吧是在]")
_TELLS_CONTACT = regex.compile(
    r"(?:\b(?:reach|contact|(?:e-?)?mail|write to|drop|call|text|ring|message|ping)\s+me\b|(?:联系|打给|发给|找|打)我|打我).*?(?:[\w.+-]+@[\w-]+\.\w|\d[\d ()-]{5,}\d)",
    regex.I,
)
"""How to reach somebody holds, though it is told for a case: "mail me at … if it is too big"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause. start, end: in the turn. chinese: in which language its rules are looked for.

    opens: its sentence begins with it. whole: it is a sentence of several clauses, read once more as one.
    carried: the clause before had the speaker for its subject and this one names none. hedged: not said for certain.
    """

    text: str
    start: int
    end: int
    chinese: bool
    hedged: bool
    carried: bool
    opens: bool = False
    whole: bool = False


def statements(text: str) -> Iterator[Clause]:
    """Yield the clauses of a masked text that state something; questions, suppositions and reports are left out."""
    for start, end in sentences(text):
        yield from _of_sentence(text[start:end], start)


def is_chinese(text: str) -> bool:
    """Say whether a text is written in Chinese, Latin names in it or not."""
    if _ENGLISH_SPEAKER.search(text) and not _CHINESE_WORDS.search(text):
        return False
    return chinese_characters(text) >= max(2, len(_LATIN.findall(text)))


def clauses_of(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where the clauses of a sentence stand."""
    return _cut(sentence, chinese=is_chinese(sentence))


def _of_sentence(sentence: str, offset: int) -> Iterator[Clause]:
    chinese = is_chinese(sentence)
    supposes = (
        None if _TELLS_CONTACT.search(sentence) else (CHINESE_SUPPOSES if chinese else SUPPOSES).search(sentence)
    )
    if supposes is not None and not _may_be_told(sentence[: supposes.start()]):
        return
    asks = sentence.rstrip().endswith(("?", "？"))
    reported = carried = False
    cut = list(_cut(sentence, chinese=chinese))
    if len(cut) > 1 and supposes is None and not asks:
        yield from _as_one(sentence, offset, cut, chinese=chinese)
    for index, (start, end) in enumerate(cut):
        clause = sentence[start:end]
        if supposes is not None and end > supposes.start():
            return
        if _asks(clause, chinese=chinese, sentence_asks=asks, last=index == len(cut) - 1):
            if not chinese:
                return
            carried = False
            continue
        reported = reported or bool((CHINESE_REPORTED if chinese else REPORTED).search(clause))
        if reported or MASK in clause or len(clause) > CLAUSE_MAX_LENGTH:
            carried = False
            continue
        hedges = CHINESE_HEDGES if chinese else HEDGES
        yield Clause(
            text=clause,
            start=offset + start,
            end=offset + end,
            chinese=chinese,
            hedged=bool(hedges.search(clause)),
            carried=carried,
            opens=index == 0,
        )
        carried = _speaks_of_oneself(clause, carried=carried, chinese=chinese)


def _as_one(sentence: str, offset: int, cut: list[tuple[int, int]], *, chinese: bool) -> Iterator[Clause]:
    """Yield a sentence of several clauses as one, where none of them asks, cites or tells what others said."""
    start, end = cut[0][0], cut[-1][1]
    text = sentence[start:end]
    reported = CHINESE_REPORTED if chinese else REPORTED
    pieces = [sentence[begin:stop] for begin, stop in cut]
    if MASK in text or len(text) > CLAUSE_MAX_LENGTH or any(reported.search(piece) for piece in pieces):
        return
    if any(_asks(piece, chinese=chinese, sentence_asks=False, last=False) for piece in pieces):
        return
    hedged = bool((CHINESE_HEDGES if chinese else HEDGES).search(text))
    yield Clause(
        text=text,
        start=offset + start,
        end=offset + end,
        chinese=chinese,
        hedged=hedged,
        carried=False,
        opens=True,
        whole=True,
    )


def _may_be_told(before: str) -> bool:
    """Say whether what stands before a supposition is a statement of its own."""
    return len(before.strip()) > len("I am") and bool(regex.search(r"[,，;；]\s*(?:so |and |but )?$|\s$", before))


def _cut(sentence: str, *, chinese: bool) -> Iterator[tuple[int, int]]:
    start = 0
    for found in (_CHINESE_CUT if chinese else _ENGLISH_CUT).finditer(sentence):
        yield from _trimmed(sentence, start, found.start())
        start = found.end()
    yield from _trimmed(sentence, start, len(sentence))


def _trimmed(sentence: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = sentence[start:end]
    left = len(piece) - len(piece.lstrip(" \t\n-*•·,，、"))
    right = len(piece.rstrip(" \t\n.!。！;；,，…~～"))
    if right > left:
        yield start + left, start + right


def asks(sentence: str, *, chinese: bool) -> bool:
    """Say whether a sentence asks something, as a whole."""
    if sentence.endswith(("?", "？")):
        return True
    return bool(CHINESE_ASKS.search(sentence) if chinese else QUESTION_OPENER.search(sentence))


def tells(sentence: str) -> bool:
    """Say whether a sentence states something of its own: it asks, supposes and reports nothing."""
    chinese = is_chinese(sentence)
    supposes, reported = (CHINESE_SUPPOSES, CHINESE_REPORTED) if chinese else (SUPPOSES, REPORTED)
    said = sentence.strip()
    return not (asks(said, chinese=chinese) or supposes.search(said) or reported.search(said))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a masked text stand, up to one that begins to suppose."""
    for sentence in islice(_SENTENCE.finditer(text), SENTENCES_MAX):
        if supposes_on(sentence[0]):
            return
        if sentence[0].strip():
            yield sentence.span()


def _asks(clause: str, *, chinese: bool, sentence_asks: bool, last: bool) -> bool:
    if chinese:
        return bool(CHINESE_QUESTION.search(clause)) or (sentence_asks and last)
    return bool(QUESTION_OPENER.search(clause)) or (sentence_asks and last)


_OTHERS = regex.compile(
    r"^(?:我(?:的)?(?:朋友|同事|老板|老婆|老公|妻子|丈夫|妈|爸|姐|妹|哥|弟|女儿|儿子|邻居|同学|客户|孩子)|他|她|它|你|您|这|那)"
)


_HAVING = regex.compile(
    r"养|领养|买|有(?:一|两|三|四|几|个|\d)|老婆|妻子|太太|老公|丈夫|妈妈|爸爸|母亲|父亲|奶奶|爷爷|姐姐|妹妹|哥哥|弟弟|女儿|儿子|孩子|宝宝|朋友|同事|猫|狗"
)
"""What follows such a clause without a subject may be about the thing."""


_GIVEN_UP = regex.compile(r"(?:不(?:再|怎么|太|大)?[去听看吃喝用碰玩写抽练跑学做]|戒掉?)了$")
"""What people say of themselves without a subject: 咖啡不怎么喝了."""


def _speaks_of_oneself(clause: str, *, carried: bool, chinese: bool) -> bool:
    if chinese:
        return (
            not _OTHERS.search(clause)
            and not _HAVING.search(clause)
            and ("我" in clause or carried or bool(_GIVEN_UP.search(clause)))
        )
    return bool(regex.match(r"(?:[\w',]+ ){0,4}(?:I|I'm|I've|we|we've)\b", clause)) or carried
