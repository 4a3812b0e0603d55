"""What kind of question is asked, and which kinds of memory suit it."""

from collections.abc import Mapping

import regex

from backends.search import names

SUITS: Mapping[str, frozenset[str]] = {
    "how_to": frozenset({names.PROCEDURAL}),
    "preference": frozenset({names.SEMANTIC}),
    "profile": frozenset({names.SEMANTIC, names.ENTITY}),
    "relation": frozenset({names.RELATION, names.ENTITY}),
    "told": frozenset({names.EPISODIC}),
    "other": frozenset(),
}
"""Kind of question -> kinds of memory. Source: Agent memory layer guide (weights by kind of question)."""

_KINDS: tuple[tuple[str, regex.Pattern[str]], ...] = tuple(
    (kind, regex.compile(pattern, regex.IGNORECASE))
    for kind, pattern in (
        ("told", r"\b(?:did|have) (?:i|we|you) (?:say|said|tell|told|mention(?:ed)?|talk(?:ed)?|discuss(?:ed)?)\b"
                 r"|\b(?:i|we) (?:said|told|mentioned|talked|discussed)\b|说过|提过|提到过|聊过|讲过"),
        ("how_to", r"\bhow (?:do|can|should|could|would) (?:i|we|you|one)\b|\bhow to\b|\bsteps? (?:to|for)\b"
                   r"|怎么(?:办|做|处理|解决|修|设置|重置|操作)|如何|步骤|流程"),
        ("preference", r"\b(?:like|likes|prefer|prefers|preferred|favou?rite|favou?rites|enjoy|enjoys|love|loves|hate"
                       r"|hates|dislike|dislikes)\b|喜欢|偏好|最爱|爱吃|爱喝|讨厌|不喜欢"),
        ("relation", r"\b(?:related to|relationship|married to|works? with|manager of|boss of|brother|sister|mother"
                     r"|father|wife|husband|colleagues?)\b|关系|同事|妻子|丈夫|妈妈|爸爸|哥哥|姐姐|弟弟|妹妹|老板"),
        ("profile", r"\bwhere (?:do|does|did) \w+ (?:live|work)\b|\bwhat is (?:my|his|her|their) \w+\b|\bhow old\b"
                    r"|住在|在哪(?:里|儿)?(?:住|工作)|职业|年龄|多大|生日"),
    )
)  # fmt: skip


def kind_of(question: str) -> str:
    """Return the first kind whose words a question has, else "other"."""
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), "other")
