"""Entities and relations that a model found.

Only names that stand in the user's turns, and how the user's own words relate them to the user, or to somebody or
something of the user's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from consolidation.rules.answer import Item
from consolidation.rules.clauses import statements
from consolidation.rules.ground import NAME, Lines, named, quoted, stands, words_in
from consolidation.rules.masks import masked
from consolidation.rules.names import known_as
from consolidation.rules.things import NAME_MAX_LENGTH, PERSON, plain_name

ONESELF = frozenset({"user", "the user", "i", "me", "用户", "我"})
ALIASES_MAX = 10
_ONESELF = regex.compile(r"\b(?:I|I'm|I've|I'd|me|we|we're|we've|us)\b|[我咱](?!们?的|家)", regex.I)
_OURS = r"(?:\b(?:my|our)\b[\w' ,-]{0,40}?|[我咱](?:们|家)?的?[\p{Han}，,]{0,8}?)"
_AGAINST = frozenset({"rejects", "dislikes", "avoids", "hates"})
_NO = regex.compile(
    r"\b(?:not|no|never|no longer|hate|hates|dislike\w*|avoid\w*|can't stand|reject\w*|stopped|quit|gave up|without|left|worse|allergic)\b|n't\b|"
    r"不|别|没|讨厌|拒绝|避免|受不了|戒",
    regex.I,
)
_ALSO_CALLED = regex.compile(
    r"[\s,，、\"“'「]*(?:[(（=]|(?:(?:which|that|who|we|I|people|everyone|is|are|just) )*(?:a\.?k\.?a\.?|also (?:called|known as)|known as|call it|short for|"
    r"abbreviated(?: as)?|i\.e\.|formerly(?: known as)?|nicknamed)|(?:也)?就是|也叫|又叫|又名|简称|俗称|即|原名|以前叫|全称是?)[\s:：\"“'「]*",
    regex.I,
)
"""What stands between two names of one thing."""
_APART_MAX = 40
_STEM = 5
_SMALL = frozenset({"of", "in", "for", "at", "to", "with", "by", "on", "is", "has", "the", "from"})
_LIKING = r"\b(?:prefer|lik|lov|favou?rit|always|only|rather|choos|enjoy)|喜欢|偏好|爱|首选|都[用发选走坐]|以后"
_WORDED: Mapping[str, str] = {
    "prefers": _LIKING,
    "likes": _LIKING,
    "loves": _LIKING,
    "uses": r"\b(?:us(?:e|es|ing)|with|via|on|switch)\b|用|发|坐|走|寄",
    "has": r"\b(?:have|has|had|got|own|bought|my|our)\b|我的|有|养|买",
    "owns": r"\b(?:have|has|got|owns?|bought|my|our)\b|我的|有|养|买",
    "works_for": r"\b(?:work|job|employ|join|hired)|工作|上班|任职|供职|入职",
    "works_at": r"\b(?:work|job|employ|join|hired)|工作|上班|任职|供职|入职",
    "lives_in": r"\b(?:liv|home|mov|based|settl)|住|搬|定居",
    "comes_from": r"\b(?:from|born|grew up|native)\b|来自|老家|出生|[是]\p{Han}{2,4}人",
    "studies_at": r"\b(?:stud|school|universit|colleg|course|enrol)|读|上学|念|学",
    "married_to": r"\b(?:marri|wife|husband|spouse|wed)|老婆|老公|妻|丈夫|太太|结婚|爱人",
    "sister_of": r"\bsister\b|姐|妹",
    "brother_of": r"\bbrother\b|哥|弟",
    "parent_of": r"\b(?:mother|father|mum|mom|dad|parent|son|daughter|child)|妈|爸|母|父|儿子|女儿|孩子",
    "friend_of": r"\bfriend|朋友",
    "colleague_of": r"\b(?:colleague|coworker|work with)|同事",
}
"""How people say what a predicate says, where that has other words; of others one of the predicate's own must stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldEntity:
    """Something named in turns, with other names of it that stand there too."""

    name: str
    entity_type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldRelation:
    """How one thing stands to another. subject: empty for the user. start, end: the words in the turn.

    owned: the words say that the subject is the user, or the user's.
    """

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    owned: bool


def entities_in(items: Sequence[Item], lines: Lines) -> Iterator[tuple[str, ToldEntity]]:
    """Yield each entity whose name stands in a turn of the user's, with the first such turn.

    An alias stands there too, and is one by the table of names, by its letters, or by the words between the two.
    """
    for item in items:
        ids = named(item, lines, fresh=True)
        name, kind = (
            words_in(item.get("name"), longest=NAME_MAX_LENGTH),
            words_in(item.get("type"), longest=40).casefold(),
        )
        at = next((one for one in ids if stands(name, lines[one].content)), None)
        if at is None or not NAME.fullmatch(kind) or name.casefold() in ONESELF:
            continue
        contents = [lines[one].content for one in ids]
        given = item.get("aliases")
        aliases = (
            [words_in(one, longest=NAME_MAX_LENGTH) for one in given[:ALIASES_MAX]] if isinstance(given, list) else []
        )
        kept = [
            one for one in aliases if one and one != name and is_alias(one, name, contents, person=kind == PERSON)
        ]
        yield at, ToldEntity(name=name, entity_type=kind, aliases=tuple(dict.fromkeys(kept)))


def is_alias(alias: str, name: str, contents: Sequence[str], *, person: bool) -> bool:
    """Say whether turns have a name and its alias, and something but a model tells that they are one."""
    if alias.casefold() in ONESELF or not any(stands(alias, content) for content in contents):
        return False
    if any(_are_equated(alias, name, content) for content in contents):
        return True
    if person:
        return False
    known, other = known_as(alias), known_as(name)
    if known is not None or other is not None:
        return known == other
    return plain_name(alias) == plain_name(name) or _initials(name) == alias or _initials(alias) == name


def _initials(name: str) -> str:
    words = regex.findall(r"[A-Z][\w-]*", name)
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _are_equated(one: str, other: str, content: str) -> bool:
    """Say whether a sentence calls one thing by both names: "IBM, also called Big Blue", "顺丰速运（顺丰）"."""
    for first, second in ((one, other), (other, one)):
        parts = [regex.escape(name, special_only=True) for name in (first, second)]
        for found in regex.finditer(
            rf"{parts[0]}(.{{1,{_APART_MAX}}}?){parts[1]}", content, regex.I, overlapped=True
        ):
            if _ALSO_CALLED.fullmatch(found[1]):
                return True
    return False


def relations_in(items: Sequence[Item], lines: Lines) -> Iterator[tuple[str, ToldRelation]]:
    """Yield each relation that a statement of the user's tells, with its turn.

    Both names stand in the quote. The subject is the user, or somebody or something that the quote calls the user's;
    of another one the record must know that it is (owned).
    """
    for item in items:
        ids = named(item, lines, fresh=True)
        content = lines[ids[0]].content if ids else ""
        span = quoted(item.get("quote"), content)
        predicate = words_in(item.get("predicate"), longest=60).replace(" ", "_")
        if span is None or not NAME.fullmatch(predicate) or not _is_stated(content, *span):
            continue
        quote = content[slice(*span)]
        subject, other = (words_in(item.get(end), longest=NAME_MAX_LENGTH) for end in ("subject", "object"))
        oneself = subject.casefold() in ONESELF
        if not subject or not other or other.casefold() in ONESELF or subject.casefold() == other.casefold():
            continue
        if stands(other, quote) and (oneself or stands(subject, quote)) and _means(quote, predicate):
            if oneself and not _ONESELF.search(quote):
                continue
            owned = oneself or bool(regex.search(_OURS + regex.escape(subject, special_only=True), quote, regex.I))
            start, end = span
            yield (
                ids[0],
                ToldRelation(
                    subject="" if oneself else subject,
                    predicate=predicate,
                    object=other,
                    start=start,
                    end=end,
                    owned=owned,
                ),
            )


def _is_stated(content: str, start: int, end: int) -> bool:
    """Say whether words of a turn are stated: not asked, supposed, hedged, or reported of others."""
    return any(
        clause.start < end and start < clause.end and not clause.hedged for clause in statements(masked(content))
    )


def _means(quote: str, predicate: str) -> bool:
    """Say whether the words tell what a predicate says, and not its contrary."""
    if predicate in _AGAINST:
        return bool(_NO.search(quote))
    worded = _WORDED.get(predicate) or "|".join(
        rf"\b{word[:_STEM]}" for word in predicate.split("_") if word not in _SMALL
    )
    return bool(worded) and bool(regex.search(worded, quote, regex.I)) and not _NO.search(quote)
