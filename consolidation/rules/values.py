"""Values: what a statement is about, without what stands around it, and how two of them are compared."""

import regex

VALUE_MAX_LENGTH = 120
VALUE_MAX_WORDS = 12

_END = regex.compile(
    r"\s*(?:\b(?:because|since (?:I|we|my|our|he|she|they|it|the|there|you|that)\b|so that|which|who|whose|where|when|while|if|though|although|unless|until|till|but|as well|and also|"
    r"after|before|whenever|even though|except that|just because|thanks to|due to|,? so)\b|\s[-–—]\s|[;!?(]|:(?!\d)|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof))\.\s|,\s+(?:but|so|which|who|not|and\s+(?:I|we|my|it|he|she|they|that|then|now))\b).*$",
    regex.I | regex.S,
)
_TAIL = regex.compile(
    r"(?:[\s,]+(?:too|also|now|anyway|actually|though|already|right now|these days|nowadays|at the moment|at present|currently|for now|"
    r"by the way|btw|thanks|thank you|please|only|lately|instead|again|myself|as well|a lot|very much|so much|the most|best|the best|"
    r"more than anything|every day|every morning|every week|all the time|as you know|in general|overall|for sure|honestly|lol|haha|:\)|today))+$",
    regex.I,
)
_EMPTY = regex.compile(
    r"^(?:(?:it|this|that|them|him|her|you|these|those|all(?!\s+(?:my|our)\b)|everything|everywhere)\b.+|to|a|an|the|and|or|in|of|on|it|that|this|them|those|these|him|her|you|me|us|one|ones|there|here|so|everything|anything|something|nothing|what|"
    r"someone|everyone|anyone|things?|stuff|the (?:same|one|first|second|other|latter|former|idea|fact|way|problem|issue|thing)\b.*|to\b.*ed|"
    r"(?:how|when|what|why|that|this|these|those|the way|the sound|the look|the idea|it when|a (?:ton|lot|bit|little|few)|if|whether)\b.*|.*\b(?:that|this|it|them|those|anything|anyone|something))$",
    regex.I,
)
_PRONOUNS = (
    (regex.compile(r"\bmyself\b", regex.I), "themselves"),
    (regex.compile(r"\b(?:my|our)\b", regex.I), "their"),
    (regex.compile(r"\b(?:mine|ours)\b", regex.I), "theirs"),
    (regex.compile(r"\b(?:me|us)\b(?<!US)"), "them"),
)
_ARTICLE = regex.compile(r"^(?:a|an|the|some|my|their|our|his|her|called|named|one)\s+", regex.I)
_CHINESE_END = regex.compile(
    r"(?:因为|所以|但是|但|不过|而且|并且|然后|的时候|之后|以后|如果|可是|就是|还有|同时).*$"
)
_CHINESE_TAIL = regex.compile(
    r"(?:了|啦|呀|啊|哦|的|哈|嘛|吧|呢|喔|噢|哟|来着|这边|那边|就好|谢谢|比较多|比较好|\s|[,，。！.!~～、])+$"
)
_CHINESE_EMPTY = regex.compile(
    r"^(?:这|那|它|他|她|你|您|的|什么|这个|那个|这样|那样|一下|点什么|啥|东西|事|人|时候|意思|问题|办法|空|时间|兴趣|道理|事情|地方|感觉|想法|必要|机会)*$"
)


def ended(value: str) -> str:
    """Return a value without the clauses and marks that follow it."""
    return _END.sub("", value).strip(" \t.!")


def cut(value: str) -> str:
    """Return a value without the clauses, courtesies and marks that follow it; empty, when it says nothing."""
    value = _TAIL.sub("", _END.sub("", value).strip(" \t\"'“”.,!?;:~*_"))
    value = _TAIL.sub("", _listed(value)).strip(" \t\"'“”.,!?;:~*_")
    if _EMPTY.match(value) or len(value) > VALUE_MAX_LENGTH or len(value.split()) > VALUE_MAX_WORDS:
        return ""
    return (
        ""
        if regex.search(
            r"\b(?:I|I'm|you|your|yours|we)\b|\s(?:it|he|she|they)\s|\b(?:this|that|these|those)\b", value
        )
        else value
    )


def _listed(value: str) -> str:
    """Return what stands before the first comma, unless commas make a list or a number."""
    if regex.fullmatch(r"[^,]{1,40}(?:,\s*[^,]{1,40})*,?\s+(?:and|or|&)\s+[^,]{1,40}", value):
        return value
    if regex.fullmatch(r"(?:an?|the|my)\s+[\w -]{2,20},\s+(?:an?|the)\s+[^,]{2,30}", value):
        return value  # a thing, and which one
    if regex.search(r",\s", value) and regex.fullmatch(r"[A-Z][\w.' -]{1,30}(?:,\s+[A-Z][\w.' -]{1,30}){1,2}", value):
        return value  # a place in its country
    return regex.split(r",\s", value, maxsplit=1)[0]


def chinese_cut(value: str) -> str:
    """Return a Chinese value without the particles and clauses that follow it; empty, when it says nothing."""
    value = _CHINESE_TAIL.sub("", _CHINESE_END.sub("", value).strip(" \t\"'“”「」"))
    value = _CHINESE_TAIL.sub("", value)
    if _CHINESE_EMPTY.match(value) or len(value) > VALUE_MAX_LENGTH // 3:
        return ""
    return "" if regex.search(r"我|你|您", value) else value


def in_third_person(value: str) -> str:
    """Return a value as somebody else says it: my becomes their."""
    for pattern, other in _PRONOUNS:
        value = pattern.sub(other, value)
    return value


def key_of(value: str) -> str:
    """Return a value as it is compared: letter case, spacing, marks, articles and possessives aside.

    Numbers, units, names and negations are kept: what differs in one of them is something else.
    """
    text = " ".join(value.casefold().replace("’", "'").split()).strip(" .,!?;:\"'，。！")
    while (shorter := _ARTICLE.sub("", text)) != text:
        text = shorter
    text = regex.sub(r"(?<=\p{Han})\s+|\s+(?=\p{Han})", "", text)
    return regex.sub(r"的$|了$", "", text)
