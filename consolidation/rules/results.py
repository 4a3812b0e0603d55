"""Results: whether a quotation can mean that something worked, or that it did not.

The rules of outcomes read a turn by themselves; these only bar what a model read into words that tell no result.
"""

import regex

from consolidation.rules.outcomes import outcome_of

_GOOD = regex.compile(
    r"\b(?:work(?:s|ed|ing)?|fix(?:es|ed)?|solv(?:es|ed)|help(?:s|ed)|sorted|resolved|cured|(?:did|does) (?:the trick|it)|success\w*|"
    r"perfectly|hooray|hurray|finally|back (?:online|to normal|up)|(?:online|on|up|normal(?:ly)?|fine|colou?r|clear|quiet|connected|good) again|"
    r"all (?:good|fine|well)|fine now|as good as new|like a charm|no (?:more|longer)|gone|stopped|at last)\b|"
    r"好了|解决|搞定|修好|成功|有用|管用|奏效|见效|起作用|正常|没问题|有效|可以了|行了|终于|恢复|不再",
    regex.I,
)
_BAD = regex.compile(
    r"\b(?:not|no|never|still|again|same|worse|fail(?:s|ed|ing)?|useless|vain|nothing|neither|nor|avail|wrong|broke|broken|stuck|"
    r"waste|hopeless|came back|keeps?)\b|n't\b|没|不|还是|仍|依然|又|失败|无效|白搭|更糟|老样子|照旧|坏",
    regex.I,
)
_NEGATED = regex.compile(
    r"\b(?:not|never|still|same|worse|fail\w*|useless|vain|nothing)\b|n't\b|没(?!问题)|不(?!再|用谢)|还是|仍|依然|失败|无效|白搭",
    regex.I,
)
_ASKS = regex.compile(r"[?？]\s*$|[吗呢]\s*[。.]?$")


def may_tell(quote: str, *, success: bool) -> bool:
    """Say whether the words of a user can mean that what was tried worked, or did not; a question means neither."""
    if _ASKS.search(quote.strip()):
        return False
    told = outcome_of(quote)
    if told is not None:
        return told.success is success
    works = bool(_GOOD.search(quote)) and not _NEGATED.search(quote)
    return works if success else bool(_BAD.search(quote)) and not works
