"""Topic: the words that tell what a sentence is about, and whether it says that something changed."""

from collections.abc import Collection, Sequence
from math import log

import regex

from backends.search.analysis import terms

_WORDS = """
    i i'm i'v my me we we'r we'v our us you your he she his her him they them it am have has had been do doe
    did don't said say told rememb now new ani anymor more again also just realli so too veri about from out
    up all get got go goe went come one as than then here there what when who which how some can could would
    should use today actual instead no longer chang switch move replac start stop still alreadi after befor
    over back well ok oh yeah hey hi user im ive that thi onli lot bit thing way make made need want like day
    time put keep let know think look give call ask tell find tri feel seem see hear talk guess hope wish mean
    thank pleas news better best updat good great nice bad big small old young long short high low last first
    next week month year morn night even afternoon yesterday tomorrow tonight friday monday tuesday wednesday
    thursday saturday sunday weekend god lol btw fyi tbh final pretti quit sure right left ever never alway
    usual sometim most mani much few other anoth same differ becaus sinc until while though plan idea peopl
    person someon everyon everyth someth anyth noth happen work live end januari februari march april may june
    juli august septemb octob novemb decemb home hous part turn run name age own full half whole kind sort two
    three four five six seven eight nine ten
    现在 现改 我的 我家 我在 我是 的是 了我 是我 一个 这个 那个 就是 还是 不是 没有 已经 原来 之前 以前 以后 今天 用户 户说 说我 换成 改成 了吧 我们 们的 自己 他的 她的 我说 在是
    在我 不再 了现 事儿 说个 个事 搬完 今儿 礼拜 一下 有点 什么 怎么 时候 可以 因为 所以 但是 然后 好消 消息 工作 公司 上班 地方 东西 问题 最近 每天 天天 早上 晚上 上午 下午 周末
"""
_PASSING = frozenset(_WORDS.split())
"""What says nothing of the topic; English as stems."""
_EMPTY = regex.compile(
    r"^\d{1,3}$|^[一二三四五六七八九十两几每前今明去][年月天个次点号岁周日]$|[了的吗呢吧啊呀嘛哈就也都很还着们我你他她它这那不在是有个和跟被把给]"
)
"""Characters whose pairs say nothing of the topic."""
_CHANGES = regex.compile(
    r"\b(?:no longer|not (?:\w+ ){0,3}any ?more|any ?more|instead of|rather than|from now on|as of (?:today|now|this|next)|these days now|"
    r"switched|swapped|replaced|moved|upgraded|downgraded|migrated|changed|went (?:over )?(?:from|up|down|back)|gone (?:over|back)|goes (?:up|down)|going up|"
    r"gave up|given up|quit|stopped|cancelled|canceled|ditched|dropped|scrap|sold|left|split up|broke up|divorced|died|passed away|"
    r"retired|promoted|renamed|rescheduled|pushed back|brought forward|now (?:at|in|on|with|it's|called|the)|(?:is|are|it's|I'm|we're|'s|got|have) (?:\w+ ){0,4}now|"
    r"new (?:number|phone|job|address|place|flat|house|car|role|email|plan|version|medication|dose|laptop|boss|one)|no more|turned \d|used to|"
    r"back (?:a|to)|put (?:\w+ ){0,3}back|got rid of|out of the|moved out|bin the|taken me off|came off|put me on|over to|graduated|passed|finally|over there now|I now|we now|has gone|(?:has|have|'s|'ve) (?:just )?(?:left|gone|retired|moved|finished|ended|closed|shut)|"
    r"(?:from|starting) (?:this|next) (?:week|month|year|term|season|monday|tuesday|wednesday|thursday|friday)|"
    r"(?:wedding|trip|party|deal|holiday|contract)(?:'s| is) off|again actually|from here on|the new \w+|got a \w+ instead|instead\b|off the \w+|taken off)\b"
    r"|不.{0,8}了|没.{0,4}了|换成?|改(?:成|用|到|叫|为|吃|在|去|了|游|学|名)|搬|辞|离职|跳槽|升(?:到|上|了|为|四|五|级)|降到|涨到|停了?|停掉|戒了|不再|以后都|从今|取消|推迟|提前到|延期|卖了|分手|离婚|走了|没了|上(?:小学|初中|高中|大学)了?|毕业|满\d+岁|转(?:到|去|成|岗)|现在(?:是|在|改|用|叫|跟|吃|住)|不做|挪到|改日子|改期|下线|出掉|没续|续上|再见|入职|提了|到此|结束|过了?[ABC]\d|开始.{1,8}了|全走|全换|全改|回老家|不开|新来的|新(?:号|东家|地址|工作|手机|电话)|原来那?",
    regex.I,
)
WORDS_MIN = 2
_SPECIFIC = regex.compile(r"\d|(?<=\p{L} )(?!I\b|I')[A-Z]\w|[A-Za-z]{2}(?=\p{Han})|(?<=\p{Han})[A-Za-z]{2}")
_NAMES = regex.compile(
    r"(?<!\p{L})(?!I\b|I')\p{Lu}[\p{L}\d&.+-]+|[A-Za-z][A-Za-z\d.+-]+(?=\p{Han})|(?<=\p{Han})[A-Za-z][A-Za-z\d.+-]+"
)
_LEAVES = regex.compile(
    r"\b(?:off|left|sold|stopped|quit|no more|instead of|rather than|from|than|not|never|without|ditched|dropped|replaced|cancelled|scrap|out of|gave up|given up|get rid of|got rid of|bin|of)\s+(?:the |my |a |our |taking |using |eating |being )?(?P<what>\w+(?: \w+){0,2})"
    r"|(?P<what>[^，,。；;！!]{2,14}?)(?:停了|不.{0,4}了|没了|走了|退了|卖了|出掉|辞了|离职|卸载|注销|退掉|扔了|送人|毕业|去世|过世|取消|拆了|挖掉|断了|黄了|结束|作废|不作数|退租|分手|关了|倒闭|改喝|改吃|换了|下线|再见|没续|换成|换到|改成|改到|改用|到期|搬走|换人)"
    r"|(?:把|从|不是|没在|不在|不做|不跟|离开)(?P<what>[^，,。；;！!]{2,8})",
    regex.I,
)
"""What is left or given up, in the words around it."""
_ENDS = regex.compile(
    r"(?P<what>\w+(?: \w+){0,2}?)(?:'s| is| has| have|'ve)?(?: been| just| finally)? (?:died|dead|passed away|retired|resigned|quit|left|leaving|gone|moved (?:out|away|on)|off\b|over\b|cancell?ed|closed|shut\w*|broke|replaced|stopped|finished|gave notice|gave up|packed in|sold|deleted|no longer|not my|isn't my)\b"
    r"|\b(?:replaced|swapped|traded|switched|moved|going|gone over|changed) (?:from )?(?:the |my |our )?(?P<what>\w+(?: \w+){0,2}?) (?:for|with|to|in)\b|\b(?:goodbye|bye bye|bye|so long|bin|uninstalled|deleted) (?:to )?(?:the |my |our )?(?P<what>\w+(?: \w+)?)",
    regex.I,
)
"""What came to an end, or was given for something else."""
_CORRECTS = regex.compile(
    r"\bnever (?:been|was|were|lived|had|said|worked|told|owned|studied|did|used)\b|\b(?:that's|thats|that is|it's|you're|got (?:it|that)) wrong\b|\bnot true\b|\bincorrect\b|从来(?:不是|没)|错了|不对|没.{0,8}过",
    regex.I,
)
_REPEATS = regex.compile(
    r"\b(?:as I said|like I said|I told you|told you|as (?:always|before|mentioned)|remember(?:,| I'm| im|\.|$)|same .{0,20} as (?:always|before)|again\b|you know|once more|still)"
    r"|之前(?:讲|说)过|再(?:跟你)?(?:确认|提醒)|再(?:强调|说)一遍|跟你说过|说过|还是我?那|强调|老样子|记得吧",
    regex.I,
)


def topic(text: str) -> frozenset[str]:
    """Return the terms that tell what a text is about."""
    return frozenset(
        term
        for term in terms(text)
        if term not in _PASSING and (len(term) > 1 or term.isdigit()) and _EMPTY.search(term) is None
    )


def names_in(text: str) -> frozenset[str]:
    """Return the names in a text: capitals within an English sentence, Latin letters within a Chinese one."""
    return frozenset(term for found in _NAMES.finditer(text) for term in topic(found[0]))


def tells_enough(text: str) -> bool:
    """Say whether a text tells of anything: by a number, a name, or two words of a topic."""
    return len(topic(text)) >= WORDS_MIN or _SPECIFIC.search(text) is not None


def given_up(text: str) -> frozenset[str]:
    """Return the terms of what a sentence says to be left, stopped or given up."""
    return topic(" ; ".join(found["what"] for ends in (_LEAVES, _ENDS) for found in ends.finditer(text)))


def only_gives_up(text: str) -> bool:
    """Say whether a text tells of nothing else than what is left, stopped or given up."""
    return topic(text) <= given_up(text)


def changes(text: str) -> bool:
    """Say whether a sentence says that something is no longer as it was."""
    return _CHANGES.search(text) is not None


def corrects(text: str) -> bool:
    """Say whether a sentence denies what was believed."""
    return _CORRECTS.search(text) is not None


def denies(text: str) -> bool:
    """Say whether there is a negation in a text."""
    return regex.search(r"\b(?:not|no|never|cannot|without)\b|n't\b|[不没别无]", text, regex.I) is not None


def repeats(text: str) -> bool:
    """Say whether a sentence reminds of what was said before."""
    return _REPEATS.search(text) is not None


def share(words: frozenset[str], known: Collection[str]) -> float:
    """Return which part of the words is known, in [0, 1]; 0 for none."""
    return len(words & frozenset(known)) / len(words) if words else 0.0


def rarities(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how much each word tells one of the texts from the others."""
    counts: dict[str, int] = {}
    for words in texts:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return {word: log(1 + len(texts) / count) for word, count in counts.items()}
