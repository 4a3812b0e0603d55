"""Day: what conversations tell as a whole, and none of their turns alone.

A question that the user answers in a word; a sentence that goes on in the next turn; "I have a dog." - "His name is Rex.";
"My sister Anna lives in Leeds." - "She works at Shell."
Each is said again as one sentence, which the rules then read as if the user had said it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import regex

from consolidation.rules.answered import answered
from consolidation.rules.candidate import Candidate
from consolidation.rules.coreference import meant
from consolidation.rules.extract import extract
from consolidation.rules.masks import MASK, masked
from memories.instructions import instructs

NEAR = timedelta(minutes=30)
"""Turns further apart are no one sentence."""
SURE = 0.85
RULE_MAX_LENGTH = 64
_OPEN = regex.compile(
    r"(?:\b(?:I|we)\s+(?:just |now |recently )?(?:live|lives|moved|work|am|like|love|prefer|use|bought|have|drive)\b[^.!?\n]{0,30}\b"
    r"(?:in|at|to|for|as|with|a|an|the|my)|\b(?:is|are|called|named)|(?:我|我们)[^。！？\n]{0,12}(?:住在|在|是|叫|喜欢|搬到|养了|对))\s*(?:\.{3}|…)?$",
    regex.I,
)
_THING = regex.compile(
    r"\b(?:I|we)(?:'ve| have)?\s+(?:just |recently |also |now )?(?:have|got|adopted|bought|own|'ve got)\s+(?:an?|one)\s+(?:new |little |big |small |young |old |black |white )*"
    r"(?P<en>dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|pet|son|daughter|brother|sister)\b|"
    r"我(?:最近|刚刚?)?(?:养了?|有了?|领养了?|买了?)一?(?:只|条|匹|个)(?:小|大)?(?P<zh>狗|猫|兔子|仓鼠|鹦鹉|乌龟|儿子|女儿|弟弟|妹妹|哥哥|姐姐)",
    regex.I,
)
_NAMED = regex.compile(
    r"^(?i:(?:his|her|its|their)\s+name(?:'s|\s+is)|(?:he|she|it)(?:'s|\s+is)\s+(?:called|named))\s+(?P<en>[A-Z][\w'-]{1,30})\s*[.!]?$|"
    r"^(?:它|他|她)(?:的名字)?(?:叫|是叫|名叫)(?P<zh>[\p{Han}A-Za-z]{1,12})\s*[。！]?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One turn of a conversation, in order. by_user: the user said it."""

    by_user: bool
    content: str
    said_at: datetime
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """What a turn states together with another. turn: by number; with_turn: the user's other one, None for a question.

    candidate: its span is of the turn.
    """

    turn: int
    with_turn: int | None
    candidate: Candidate


def joined(conversation: Sequence[Heard]) -> list[Joined]:
    """Return what the turns of one conversation state together; what a turn states alone is not among it."""
    found: list[Joined] = []
    for index, heard in enumerate(conversation):
        if index == 0 or not heard.by_user or not _own_words(heard.content):
            continue
        if extract(heard.content, said_at=heard.said_at, who=heard.who).candidates:
            continue
        said = _said(conversation, index)
        if said is None:
            continue
        text, value, with_turn, rule = said
        extracted = extract(text, said_at=heard.said_at, who=heard.who)
        found += [
            Joined(turn=index, with_turn=with_turn, candidate=_of_turn(one, heard.content, value, rule))
            for one in extracted.candidates
            if value.casefold() in one.text.casefold() and not extracted.suspect
        ]
    return found


def _said(conversation: Sequence[Heard], index: int) -> tuple[str, str, int | None, str] | None:
    """Return a turn and another as one sentence, what of it is the turn's own, the user's other turn, and the rule."""
    heard, before = conversation[index], conversation[index - 1]
    if heard.said_at - before.said_at > NEAR or not _own_words(before.content):
        return None
    if not before.by_user:
        told = answered(before.content, heard.content)
        if told is not None:
            return (*told, None, "answered")
    earlier = _earlier(conversation, index)
    if earlier is None:
        return None
    words = conversation[earlier].content.strip()
    called = _called(words, heard.content.strip())
    if called is not None:
        return (*called, earlier, "named")
    of_another = meant(heard.content.strip(), words)
    if of_another is not None:
        return (*of_another, earlier, "meant")
    if earlier == index - 1 and _OPEN.search(words):
        value = heard.content.strip().rstrip(".!。！")
        glue = "" if regex.search(r"\p{Han}$", words) else " "
        return f"{words.rstrip('.…')}{glue}{value}", value, earlier, "went_on"
    return None


def _called(words: str, name: str) -> tuple[str, str] | None:
    """Return what the one living thing that was told of is called, as a sentence, and the name."""
    named, things = _NAMED.match(name), list(_THING.finditer(words))
    if named is None or len(things) != 1:
        return None
    thing = things[0]
    if named["en"] and thing["en"]:
        return f"My {thing['en'].lower()} is called {named['en']}", named["en"]
    return (f"我的{thing['zh']}叫{named['zh']}", named["zh"]) if named["zh"] and thing["zh"] else None


def _earlier(conversation: Sequence[Heard], index: int) -> int | None:
    """Return the user's turn before, if no other person spoke and it was said a moment ago."""
    heard = conversation[index]
    for at in range(index - 1, max(index - 3, -1), -1):
        before = conversation[at]
        if before.by_user:
            near = before.who == heard.who and heard.said_at - before.said_at <= NEAR
            return at if near and _own_words(before.content) else None
    return None


def _own_words(content: str) -> bool:
    return MASK not in masked(content) and not instructs(content)


def _of_turn(candidate: Candidate, content: str, value: str, rule: str) -> Candidate:
    """Return a candidate with the span of its words in the turn."""
    start = max(content.find(value), 0)
    return replace(
        candidate,
        start=start,
        end=start + len(value) if content[start : start + len(value)] == value else len(content),
        confidence=min(candidate.confidence, SURE),
        rule=f"{rule}.{candidate.rule}"[:RULE_MAX_LENGTH],
    )
