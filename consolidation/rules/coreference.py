"""Coreference: whom "she" and "it" mean, where the turn leaves one possibility; then the clause is read as if it said so.

"My sister Anna lives in Leeds. She works at Shell." - the second is of Anna. Where two could be meant, or somebody whose
gender nobody knows, nothing is read; and nothing about the speaker is ever read from what is said of somebody else.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from consolidation.rules.clauses import is_chinese
from consolidation.rules.masks import MASK

HE, SHE, IT = "he", "she", "it"
WINDOW = 600
"""Characters before a pronoun in which whom it means is looked for; what is further back nobody has in mind."""
_FEMALE = r"wife|girlfriend|fianc[eé]e|mother|mom|mum|sister|daughter|grandmother|grandma|granny|aunt|niece|mother-in-law|sister-in-law|daughter-in-law"
_MALE = r"husband|boyfriend|fianc[eé]|father|dad|brother|son|grandfather|grandpa|uncle|nephew|father-in-law|brother-in-law|son-in-law"
_EITHER = r"partner|spouse|cousin|child|kid|twin|friend|boss|colleague|coworker|co-worker|manager|neighbou?r|doctor|dentist|teacher|therapist|roommate|flatmate|client|customer|landlord|someone|somebody|person|student"
_PET = r"dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|tortoise|goldfish"
_DEVICE = r"phone|laptop|computer|pc|macbook|tablet|ipad|hub|router|printer|camera|tv|television|watch|server|car|van|bike|thermostat|keyboard|monitor|console"
_MENTION = regex.compile(
    r"(?P<own>\b(?:my|our|(?:I|we)(?:'ve| have|'ve got| have got)? (?:just |recently )?(?:got |have |adopted |bought |own |drive |use |ordered )?(?:an?|one))\s+)?"
    r"(?:(?:new|old|older|younger|elder|eldest|youngest|little|big|small|twin|step|half|best)[- ])*"
    rf"\b(?:(?P<she>{_FEMALE}|woman|girl|lady)|(?P<he>{_MALE}|man|guy|boy)|(?P<either>{_EITHER})|(?P<pet>{_PET})|(?P<device>{_DEVICE}))\b"
    r"(?P<of>'s)?(?:,? (?:(?:is |are )?(?:called|named) )?(?P<name>(?-i:\p{Lu})[\p{L}'-]+)(?P<more> (?-i:\p{Lu})\p{L}+)?)?",
    regex.I,
)
_NAMED = regex.compile(
    r"(?<!(?:^|[.!?;:\n]\s*)|\b(?:in|at|from|to|for|near|of|on|by|via|with a|a|an|the|my|our|called|named|and I|speak|speaks)\s)\b\p{Lu}[\p{L}'-]+"
)
_OPENS_WITH_NAME = regex.compile(
    r"(?:^|[.!?;:\n]\s*)(\p{Lu}\p{Ll}+)\s+(?:is|was|has|and|lives|works|said|says|told|likes|loves|came|moved|bought)\b"
)
_NO_NAMES = regex.compile(
    r"i|i'm|i've|i'd|i'll|he|she|it|they|we|you|my|our|his|her|its|their|this|that|there|what|who|and|but|so|mum|mom|dad|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|english|french|german|spanish|chinese|japanese"
)
_PRONOUN = regex.compile(
    r"^(?P<lead>(?:(?:and|but|so|also|now|well|yes|yeah)[, ]+)*)(?:(?P<it>he|she|it)(?P<short>['’]s)?|(?P<whose>his|her|its))\s+(?P<rest>\S.*)$",
    regex.I | regex.S,
)
_PAST = regex.compile(r"^(?:been|got|had|worked|lived|moved|just|become|started|finished|gone|bought)\b")

_ZH_FEMALE = (
    r"老婆|妻子|太太|媳妇|女朋友|女友|妈妈|母亲|妈|奶奶|外婆|姥姥|姐姐|妹妹|姐|妹|[大小]?女儿|岳母|婆婆|孙女|侄女"
)
_ZH_MALE = r"老公|丈夫|男朋友|男友|爸爸|父亲|爸|爷爷|外公|姥爷|哥哥|弟弟|哥|弟|[大小]?儿子|岳父|公公|孙子|侄子"
_ZH_EITHER = r"朋友|同事|老板|领导|邻居|同学|客户|室友|医生|老师|孩子|宝宝|爱人|老伴|对象|别人|有人"
_ZH_PET = r"狗狗|狗|猫咪|猫|兔子|仓鼠|鹦鹉|乌龟"
_ZH_MENTION = regex.compile(
    rf"(?P<own>我(?:们)?(?:家)?(?:有|养了?|的)?(?:一)?(?:个|只|条)?)?(?:(?P<she>{_ZH_FEMALE})|(?P<he>{_ZH_MALE})|(?<!是|当)(?P<either>{_ZH_EITHER})|(?P<it>{_ZH_PET}))(?P<of>的)?"
)
_ZH_SOMEBODY = regex.compile(
    r"(?:和|跟|与|见了?|认识|遇到|找|给|陪|看望|帮|叫上)(?:小|老|阿|[王李张刘陈杨赵黄周吴徐孙朱林何郭罗梁宋郑谢韩唐冯])\p{Han}"
)
_ZH_PRONOUN = regex.compile(r"^(?P<it>他|她|它)(?!们)(?:的)?(?P<rest>\S.*)$", regex.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Somebody or something that was spoken of. pronouns: that may mean it. said: how a sentence about it begins.

    whose: the same without the name, before what is its own. None: it is not the speaker's own, so nothing is read of it.
    """

    pronouns: frozenset[str]
    said: str | None = None
    whose: str | None = None


def resolved(clause: str, before: str, *, chinese: bool) -> str | None:
    """Return a clause that begins with a pronoun, with what it means in its place; None where that is not certain.

    before: what the speaker said until then. A clause without such a pronoun is returned as it is.
    """
    found = (_ZH_PRONOUN if chinese else _PRONOUN).match(clause)
    if found is None:
        return clause
    before = before[-WINDOW:]
    if MASK in before:
        return None
    pronoun = _pronoun(found, chinese=chinese)
    possible = {one.said: one for one in (_chinese if chinese else _english)(before) if pronoun in one.pronouns}
    if len(possible) != 1:
        return None
    one = next(iter(possible.values()))
    if one.said is None or one.whose is None:
        return None
    if chinese:
        return f"{one.said}{found['rest']}"
    if found["whose"]:
        return f"{one.whose}'s {found['rest']}"
    verb = "" if not found["short"] else "has " if _PAST.match(found["rest"]) else "is "
    return f"{one.said} {verb}{found['rest']}"


def meant(sentence: str, before: str) -> tuple[str, str] | None:
    """Return a whole turn with what its pronoun means, of the turn before, and the turn's own words in it."""
    chinese = is_chinese(sentence)
    found = (_ZH_PRONOUN if chinese else _PRONOUN).match(sentence)
    said = resolved(sentence, before, chinese=chinese) if found is not None else None
    if found is None or said is None:
        return None
    return said, found["rest"].rstrip(".!。！ ")


def _pronoun(found: "regex.Match[str]", *, chinese: bool) -> str:
    said = found["it"] or ("" if chinese else found["whose"])
    return {"他": HE, "她": SHE, "它": IT, "his": HE, "her": SHE, "its": IT}.get(said.lower(), said.lower())


def _english(before: str) -> Iterator[Mention]:
    taken = []
    mentions = list(_MENTION.finditer(before))
    names = {
        found[kind].lower(): found["name"]
        for found in mentions
        for kind in ("she", "he", "pet")
        if found[kind] and found["name"]
    }
    for found in mentions:
        taken.append(found.span())
        kind = next(kind for kind in ("she", "he", "either", "pet", "device") if found[kind])
        pronouns = {"she": {SHE}, "he": {HE}, "either": {HE, SHE}, "pet": {HE, SHE, IT}, "device": {IT}}[kind]
        word = found[kind].lower()
        own = found["own"] is not None and found["of"] is None and kind != "either"
        name = names.get(word)
        yield Mention(
            pronouns=frozenset(pronouns),
            said=f"My {word} {name}" if own and name else f"My {word}" if own else None,
            whose=f"My {word}" if own else None,
        )
    for found in (*_NAMED.finditer(before), *_OPENS_WITH_NAME.finditer(before)):
        name = found[0].split()[-1] if found.re is _NAMED else found[1]
        if _NO_NAMES.fullmatch(name.casefold()) is None and not any(
            start <= found.end() - 1 < end for start, end in taken
        ):
            yield Mention(pronouns=frozenset({HE, SHE}))
    if regex.search(
        r"\b(?:an?|the|this|that|my|our)\s+(?!(?:new|old|little|big|small)\b)\w+", _without(before, taken), regex.I
    ):
        yield Mention(pronouns=frozenset({IT}))


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _chinese(before: str) -> Iterator[Mention]:
    for found in _ZH_MENTION.finditer(before):
        kind = next(kind for kind in ("she", "he", "either", "it") if found[kind])
        pronouns = {"she": {SHE}, "he": {HE}, "either": {HE, SHE}, "it": {HE, SHE, IT}}[kind]
        own = found["own"] is not None and found["of"] is None and kind != "either"
        said = f"我{found[kind]}" if own else None
        yield Mention(pronouns=frozenset(pronouns), said=said, whose=said)
    if _ZH_SOMEBODY.search(before):
        yield Mention(pronouns=frozenset({HE, SHE}))
