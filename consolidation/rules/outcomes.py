"""Outcomes: whether a person says that what was tried worked, and what worked instead."""

from dataclasses import dataclass

import regex

from consolidation.rules.clauses import is_chinese, statements
from consolidation.rules.masks import masked

_WORKED = regex.compile(
    r"\b(?:(?:that|this|it|which|resetting|restarting|the (?:reset|fix|restart|update|trick|steps?)|your (?:fix|suggestion|advice|steps?)|those steps)\s+"
    r"(?:(?:really|actually|totally|finally|seems? to have|has|have|did|all|just|definitely|already)\s+)*(?:worked|fixed it|solved it|did (?:the trick|it)|helped|resolved it|does the trick|sorted it|cured it))\b|"
    r"\b(?:works|working|fixed|solved|sorted|resolved)\s+(?:now|again|perfectly|fine|great|like a charm|at last|it)\b|\b(?:it|everything|that)(?:'s| is| are)?\s+(?:now\s+|all\s+|finally\s+)?(?:working|fixed|solved|works|resolved|sorted)\b|"
    r"^(?:yes[,!. ]*)?(?:it|that|this)\s+worked\b|\bproblem (?:is )?(?:solved|gone|fixed)\b|^(?:fixed|solved|worked|sorted)\b",
    regex.I,
)
_FAILED = regex.compile(
    r"\b(?:didn't|did not|doesn't|does not|hasn't|has not|won't)\s+(?:really\s+|actually\s+|seem to\s+)?(?:work|help|fix|solve|do anything|make (?:a|any) difference|change anything|resolve)\w*\b|"
    r"\bno (?:luck|joy|good|dice|change|effect|difference|success|use)\b|\bnot (?:working|fixed|solved|helping|resolved)\b|"
    r"\bstill\s+(?:not|no|broken|the same|doesn't|isn't|won't|can't|drops?|shows?|showing|fails?|failing|happens?|happening|only|white|offline|disconnect\w*|flicker\w*|stuck|get(?:ting)?)\b|"
    r"\b(?:made (?:it|things) worse|made no difference|came back|same (?:code|thing|story)|to no avail|in vain|useless|waste of time|same (?:problem|issue|error|result)|keeps? (?:happening|failing|dropping))\b",
    regex.I,
)
_INSTEAD = regex.compile(
    r"\b(?:what (?:actually |really |finally )?(?:worked|helped|fixed it|did it|did the trick)(?: for me)? (?:was|is)|(?:the (?:real |actual )?(?:fix|solution|answer|trick) (?:was|is)))\s+(?P<step>.{4,200})$|"
    r"^(?P<step>(?:\w+ing\b|I had to|we had to)\s.{4,160}?)\s+(?:did the trick|fixed it|worked|solved it|helped|sorted it)\b",
    regex.I,
)
_C_WORKED = regex.compile(
    r"(?:解决了|搞定了?|好了|可以了|修好了|成功了|有用|管用|奏效|见效|起作用了|正常了|没问题了|有效|问题解决)"
)
_C_FAILED = regex.compile(
    r"没用(?!过)|不管用|没有用|不行|没解决|没有解决|还是.{0,4}(?:不|没)|还是(?:一样|这样|不|没|会|老样子|断|只|有问题|坏)|没效果|没有效果|无效|没好|没修好|更糟|没变化|没有变化|依然(?:不|没)|仍然(?:不|没)|白搭|失败了|老问题"
)
_C_INSTEAD = regex.compile(
    r"(?:后来|最后|最终|其实|真正)(?:是|我|靠|用|把)*(?P<step>.{3,60}?)(?:才|就)(?:好|解决|行|可以|正常|成功|管用|有用)了?|(?:有用|管用|解决问题)的是(?P<step>.{3,60})$"
)
_C_NOT_YET = regex.compile(
    r"好了(?:吗|没)|有用吗|管用吗|(?:不|没)(?:能)?(?:解决|搞定|修好|成功|有用|管用|正常|有效)|好了再|等.{0,6}好了"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a turn tells of what was tried. instead: the step that worked in its place; empty where none is told."""

    success: bool
    instead: str = ""


def outcome_of(content: str) -> Outcome | None:
    """Return the outcome that a user's turn tells; None, when it tells none or both. Questions tell none."""
    text = masked(content)
    worked = failed = False
    instead = ""
    for clause in statements(text):
        chinese = clause.chinese or is_chinese(clause.text)
        told = (_C_INSTEAD if chinese else _INSTEAD).search(clause.text)
        if told is not None:
            instead = (told["step"] or "").strip(" .,!。，！")
            continue
        if clause.hedged and not chinese:
            continue
        fails = (_C_FAILED if chinese else _FAILED).search(clause.text)
        failed = failed or bool(fails)
        if not fails and not (chinese and _C_NOT_YET.search(clause.text)):
            worked = worked or bool((_C_WORKED if chinese else _WORKED).search(clause.text))
    if failed:
        return Outcome(success=False, instead=instead)
    if worked or instead:
        return Outcome(success=True, instead=instead)
    return None
