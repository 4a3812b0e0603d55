"""What in a turn are not the speaker's own words of the moment: quotations, code, pasted pages, texts to work on.

A masked part is replaced by as many control pictures, so that every offset stays what it was.
"""

import regex

MASK = "\u2400"
_SHORT_QUOTE_WORDS = 3
_SHORT_QUOTE_CHARACTERS = 8

_CODE = regex.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{1,200}`|<(pre|code|script|style)\b.*?(?:</\1>|\Z)", regex.S | regex.I
)
_TAG = regex.compile(r"<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>\n]{0,200}>", regex.S)
_URL = regex.compile(r"\b(?:https?://|www\.)\S+")
_CITED_LINE = regex.compile(r"^[ \t]*(?:>|\|).*$", regex.M)
_SAID_BY = regex.compile(
    r"^[ \t]*\**(?:user|assistant|system|human|ai|bot|agent|tool|support|customer|用户|助手|客服|系统)\**\s*[:：].*$",
    regex.M | regex.I,
)
_QUOTED = regex.compile(
    r'"([^"\n]{1,2000})"|“([^”]{1,2000})”|「([^」]{1,2000})」|『([^』]{1,2000})』|(?<!\w)\'([^\'\n]{1,300})\'(?!\w)'
)
_NAMING = regex.compile(r"(?:called|named|name is|nicknamed|叫|叫做|名叫|名字是|昵称是)\s*$", regex.I)
_PASTED = regex.compile(
    r"(?:^|\n)[ \t]*(?:-{2,}\s*(?:forwarded|original) message|begin forwarded message|from:\s.+\n(?:.*\n){0,3}?subject:"
    r"|(?:here(?:'s| is) (?:the|an?|my) (?:text|email|e-mail|article|page|log|logs|output|transcript|document|review|"
    r"message|letter|draft|paragraph|passage|content|note|post)[^\n:]{0,60}:)"
    r"|(?:下面是|以下是|这是)[^\n：:]{0,20}(?:文章|邮件|内容|日志|原文|网页|聊天记录|评论|文本|段落)[^\n：:]{0,12}[：:])",
    regex.I,
)
_WORK_ON = regex.compile(
    r"\b(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|edit|improve|polish|shorten|classify|"
    r"analy[sz]e|spell[- ]?check|grammar[- ]?check|write|draft|compose|complete|continue)\b[^.!?\n]{0,80}:"
    r"|(?:翻译|润色|改写|总结|校对|概括|续写|造句|写一?(?:段|篇|封|个|首|句|则|条)|分析(?:一下)?)[^。！？\n]{0,30}[:：]",
    regex.I,
)
_LYRICS = regex.compile(
    r"\b(?:the (?:song|lyrics?|poem) (?:goes|says?|reads?)|lyrics?|the sentence)\b[^.!?\n]{0,40}[:,]", regex.I
)


def masked(content: str) -> str:
    """Return the content with what is not the speaker's own words masked, of the same length."""
    text = content.replace("’", "'").replace("‘", "'")
    for pattern in (_CODE, _TAG, _URL, _CITED_LINE, _SAID_BY):
        text = pattern.sub(lambda found: MASK * len(found[0]), text)
    text = _QUOTED.sub(_masked_quote, text)
    for pattern in (_PASTED, _WORK_ON, _LYRICS):
        found = pattern.search(text)
        if found is not None:
            text = text[: found.end()] + MASK * (len(text) - found.end())
    return text


def quotes(text: str) -> bool:
    """Say whether something in a masked text is not the speaker's own."""
    return MASK in text


def _masked_quote(found: "regex.Match[str]") -> str:
    """Return a quotation masked, unless it is only a name."""
    inner = next(group for group in found.groups() if group is not None)
    is_short = len(inner.split()) <= _SHORT_QUOTE_WORDS and len(inner) <= _SHORT_QUOTE_CHARACTERS * _SHORT_QUOTE_WORDS
    if is_short and _NAMING.search(found.string[: found.start()]):
        return found[0]
    return MASK * len(found[0])
