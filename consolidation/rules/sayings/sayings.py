"""Sayings: the sentences of a turn that tell of their speaker what lasts, each kept as it was said."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import regex

from consolidation.rules.candidate import SAYS, Candidate
from consolidation.rules.clauses import clauses_of, is_chinese, sentences, tells
from consolidation.rules.masks import MASK
from consolidation.rules.sayings.changed import STRONG, strength_of
from consolidation.rules.sayings.lasting import commands, hedged, lasting
from consolidation.rules.sayings.topic import only_gives_up, repeats, tells_enough
from memories.sayings import as_said

RULE = "saying"
SURE_ENOUGH = 0.7
"""A less likely one is not kept. The floor of belief. Source: seed S4, 2.2."""
IF_MET = 0.1
"""The same of one that tells of a change, or reminds: kept only where it meets what it is about. Set by us."""
SENTENCE_MAX_LENGTH = 800
"""Code points; what is longer is nothing that somebody says of himself in a sentence."""
SHORT = 110
"""Code points of a sentence of an end, at most, that goes with the next one. Set by us."""
SURE_MAX = 0.85
"""How sure a saying is at most: nobody understood it. Source: seed S4, 2.3."""
MASKED_MAX = 40
"""Characters from which on what is masked is no address, name or word of code in a sentence. Set by us."""
LENGTH_MAX = 280
"""Code points; a longer sentence is kept in pieces."""
IMPORTANCE = 0.5
_ELSE = regex.compile(
    r"^\W*(?:(?:oh|so|and|also|apparently|btw),? )*(?:(?:some|a|an|the|this|that|one|there's an?|there is an?|there's this|heard the|heard that)(?: \w+){0,2} "
    r"(?:guy|girl|man|woman|bloke|lady|kid|lad|boy|person|people|friend|mate|colleague|neighbou?r|couple|chap|dude|folks?)\b|"
    r"(?:my|our) (?:\w+ )?(?:boss|manager|colleague|coworker|co-worker|neighbou?r|teacher|friend|mate|landlord|landlady)\b|heard\b|apparently\b|people on\b|I (?:just )?(?:left|sent|wrote|gave) \w+ an? (?:message|note|e-?mail|text|call)\b)"
    r"|^\W*(?:(?:oh|so|and|also|apparently|btw),? )*there(?:'s| is) (?:an?|this) (?:\w+ ){1,5}who\b"
    r"|^\W*(?:我(?:的|们)?)?(?:朋友|同事|老板|邻居|同学|领导|听说|据说|(?:隔壁|楼上|楼下|对门)(?![^，,。；;]{0,8}我)|有个人|有人|人家|别人|网上|新闻|(?:我们)?(?:班|辅导员|房东|同学|老师|领导)的)|^\W*(?:我们)?\p{Han}{0,3}那(?:个|位)?\p{Han}{0,3}(?:同学|同事|哥们|小子|家伙|小伙|姑娘|大爷|大妈|大叔|阿姨|师傅|邻居|老外)|我的意思|[住买去吃用]不起",
    regex.I,
)
"""Who else a sentence may be about, and what says nothing of anybody."""
_GOES_ON = regex.compile(
    r"^\W*(?:(?:so|and|but|now|from now on|since then),? )*(?:it|it's|its|he|she|he's|she's|they|they're|that|that's|this|instead)\b|^\W*(?:现在|如今|是|换|改|他|她|它|新的)",
    regex.I,
)
"""How a sentence begins that says more of what the one before is about."""
_EDGES = " \t\n-*•·,，、；;~～"


def sayings(
    content: str, hidden: str, read: Collection[tuple[int, int]], *, who: str = "", answers: bool = False
) -> Iterator[Candidate]:
    """Yield a candidate a sentence that is likely enough to tell something lasting, and more than the rules read.

    hidden: the content, masked. read: where the clauses stand that a rule read. who: the speaker, where several people speak. answers: the
    assistant had asked something just before.
    """
    for start, end, sure in _joined(content, list(_rated(hidden, answers=answers))):
        for left, right in _pieces(content, start, end):
            unread = _unread(content, left, right, read)
            if tells_enough(unread) and not (len(unread) < right - left and only_gives_up(unread)):
                said = _candidate(content, left, right, sure, who)
                kept = sure >= SURE_ENOUGH
                yield said if kept else replace(said, only_if_met=True, confidence=SURE_ENOUGH)


def within(candidate: Candidate, kept: Sequence[Candidate]) -> Candidate:
    """Return what a rule read; of a sentence that is kept as well, the sentence closes what it changes."""
    covered = any(one.start < candidate.end and candidate.start < one.end for one in kept)
    return replace(candidate, around="") if covered else candidate


def _unread(content: str, start: int, end: int, read: Collection[tuple[int, int]]) -> str:
    """Return the clauses of a sentence that no rule read."""
    clauses = [
        (start + first + left, start + first + right)
        for first, last in sentences(content[start:end])
        for left, right in clauses_of(content[start + first : start + last])
    ]
    return " ".join(
        content[left:right]
        for left, right in clauses
        if not any(begin < right and left < stop for begin, stop in read)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    """A sentence, where it stands, and how likely it lasts.

    own: it tells of its speaker, for certain, with no more masked in it than an address or a name. turns: it tells of a change, and neither asks nor orders.
    """

    start: int
    end: int
    sure: float
    own: bool
    turns: bool


def _rated(hidden: str, *, answers: bool) -> Iterator[_Rated]:
    """Yield the sentences of a masked text, each rated."""
    follows = False
    for start, end in sentences(hidden):
        sentence = hidden[start:end]
        own = len(sentence) <= SENTENCE_MAX_LENGTH and not hedged(sentence)
        own = own and MASK * MASKED_MAX not in sentence and tells(sentence) and _ELSE.search(sentence) is None
        sure = lasting(sentence, answers=answers, follows=follows) if own else 0.0
        follows = sure >= SURE_ENOUGH
        yield _Rated(start=start, end=end, sure=sure, own=own, turns=own and _turns(sentence))


def _turns(sentence: str) -> bool:
    return strength_of(sentence) >= STRONG and not commands(sentence)


def _joined(content: str, rated: Sequence[_Rated]) -> Iterator[tuple[int, int, float]]:
    """Yield what is worth a look; a short sentence of something that ended goes with the next one, which says what is."""
    at = 0
    while at < len(rated):
        one = rated[at]
        said = content[one.start : one.end]
        following = rated[at + 1] if at + 1 < len(rated) else None
        at += 1
        if following is not None and one.own and following.own and one.end - one.start <= SHORT:
            sure = max(one.sure, following.sure)
            further = content[following.start : following.end]
            if sure >= IF_MET and (one.turns or (following.turns and _GOES_ON.search(further))):
                yield one.start, following.end, sure
                at += 1
                continue
        if one.sure >= SURE_ENOUGH or (one.own and (repeats(said) or (one.turns and one.sure >= IF_MET))):
            yield one.start, one.end, one.sure


def _pieces(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where a sentence stands without what surrounds it.

    A long one is cut where as many clauses as fit end.
    """
    if end - start <= LENGTH_MAX:
        yield _trimmed(content, start, end)
        return
    left, right = start, start
    for begin, stop in clauses_of(content[start:end]):
        if right > left and start + stop - left > LENGTH_MAX:
            yield _trimmed(content, left, right)
            left = start + begin
        right = start + stop
    if 0 < right - left <= LENGTH_MAX:
        yield _trimmed(content, left, right)


def _trimmed(content: str, start: int, end: int) -> tuple[int, int]:
    piece = content[start:end]
    return start + len(piece) - len(piece.lstrip(_EDGES)), end - len(piece) + len(piece.rstrip(_EDGES))


def _candidate(content: str, start: int, end: int, sure: float, who: str) -> Candidate:
    said = " ".join(content[start:end].split())
    chinese = is_chinese(said)
    name = who or ("用户" if chinese else "The user")
    return Candidate(
        text=as_said(name, said, chinese=chinese),
        predicate=SAYS,
        value=said,
        key=said.casefold(),
        rule=RULE,
        start=start,
        end=end,
        confidence=min(round(sure, 2), SURE_MAX),
        importance=IMPORTANCE,
        changes=strength_of(said) >= STRONG,
    )
