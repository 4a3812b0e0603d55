"""Telephone numbers and e-mail addresses that a person gives as his or her own."""

from collections.abc import Iterator

import regex

from consolidation.rules.statement import Statement

_EMAIL = regex.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+(?![A-Za-z0-9@])"
)
_PHONE = regex.compile(r"(?<![A-Za-z0-9.-])(?:\+?\d[\d\s()-]{5,17}\d)(?![A-Za-z0-9]|[.-]\d)")
_MINE = regex.compile(
    r"\b(?:my|our)\s+(?:new\s+|work\s+|home\s+|personal\s+|private\s+|mobile\s+|cell\s+)*(?:e-?mail|mail|phone|number|mobile|cell|telephone|whatsapp|contact|address)|"
    r"\b(?:reach|contact|email|e-mail|mail|call|text|ring|write to|phone|ping|message|drop)\s+me\b|^I(?:'m| am)\s+(?:reachable|available)\s+(?:at|on|under)",
    regex.I,
)
_CHINESE_MINE = regex.compile(
    r"我(?:的)?(?:新|工作|私人|个人|公司)?(?:的)?(?:邮箱|邮件|电子邮件|手机|电话|号码|联系|微信)|(?:联系|打给|发给|找|打)我|我(?:手机|电话|邮箱)|^(?:新)?(?:邮箱|手机号?码?|电话号?码?)(?:已经)?(?:换成|改成|改为|更新为|变成)"
)
_ALONE = regex.compile(
    r"^(?:(?:my|our|the|there's a|here's my|here's the|it's a|got a|I've got a)\s+)?(?:new|current)\s+(?:(?:phone|mobile|cell|work|home|contact)\s+)*(?:number|phone|mobile|cell|e-?mail)(?:\s+address)?\b",
    regex.I,
)
_CHINESE_ALONE = regex.compile(
    r"^(?:新的?|现在的?)?(?:手机号?码?|电话号?码?|手机|电话|邮箱|号码|号|联系方式|联系电话)(?:已经)?(?:是|为|：|:|换成了?|改成了?|改为)?\s*(?=[+\dA-Za-z])"
)
"""What begins without saying whose; it is the speaker's where nobody else was spoken of before."""
_DIGITS_MIN, _DIGITS_MAX = 7, 15


def contacts(clause: str, *, chinese: bool, own: bool = False) -> Iterator[Statement]:
    """Yield the addresses and numbers of one clause that the speaker calls his or her own; own: nobody else is meant."""
    said = (_CHINESE_MINE if chinese else _MINE).search(clause)
    alone = own and (_CHINESE_ALONE if chinese else _ALONE).search(clause)
    if not said and not alone:
        return
    email = _EMAIL.search(clause)
    if email is not None:
        text = f"{{who}}的邮箱是{email[0]}" if chinese else f"{{who}}'s email is {email[0]}"
        yield _contact("email", text, email[0])
        return
    phone = _PHONE.search(clause)
    if phone is not None and _DIGITS_MIN <= sum(map(str.isdigit, phone[0])) <= _DIGITS_MAX:
        number = phone[0].strip()
        text = f"{{who}}的电话是{number}" if chinese else f"{{who}}'s phone number is {number}"
        yield _contact("phone", text, number)


def _contact(what: str, text: str, value: str) -> Statement:
    return Statement(
        text=text.replace("{who}", "\0").replace("{", "").replace("}", "").replace("\0", "{who}"),
        predicate=what, value=value, rule=f"contact.{what}", slot=what, category="person", importance=0.8,
    )  # fmt: skip
