"""家里养了一只橘猫，叫年糕；我姓陈，叫陈嘉怡；在网易做架构师: what is told over a comma."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.chinese.others import FAMILY
from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut

_LEAD = r"(?:.{0,8}?[，,、：:])?"
_PET = regex.compile(
    rf"^{_LEAD}(?:我(?:们)?家(?:里)?|家里|我(?:们)?)(?:最近|刚|新|还)*(?:养|有|领养|收养|来)了?(?P<count>[一两三\d])(?P<of>只|条|匹|个)(?P<what>[\p{{Han}}]{{1,8}}?)[，,]\s*(?:它|他|她)?(?:名字|小名|取名|起名)?(?:是|就)?(?:叫做?|叫作|名叫)(?P<name>[\p{{Han}}A-Za-z]{{1,10}})(?=$|[，,])"
)
_NAME = regex.compile(
    rf"^{_LEAD}我(?:本人)?(?:是)?姓(?P<surname>\p{{Han}}{{1,2}})[，,]?\s*(?:全名|名字|大名|单名)?(?:一个)?(?:叫做?|是|叫作)(?P<name>[\p{{Han}}A-Za-z·]{{1,10}})(?=$|[，,])"
)
_RELATIVE = regex.compile(
    rf"^{_LEAD}(?:我(?:们)?(?:家)?(?:有)?(?:一?个)?)(?P<who>{FAMILY})[，,]\s*(?:他|她|名字)?(?:叫做?|名叫)(?P<name>[\p{{Han}}A-Za-z]{{1,8}})(?=$|[，,])"
)


_INSTEAD = regex.compile(
    rf"^{_LEAD}(?:我(?:们)?)?(?:现在|已经|最近|都|也)*不(?:再|怎么)?(?P<verb>[吃喝用听看骑开坐穿抽玩]|喜欢|爱)(?P<old>[\p{{Han}}A-Za-z ]{{1,8}}?)了[，,]\s*(?:我)?(?:现在|改|都|只|开始|就|换成?|平时)*(?P=verb)(?P<value>[\p{{Han}}A-Za-z ]{{1,10}}?)了?(?=$|[，,])"
)


def pairs(sentence: str, said_at: datetime) -> Iterator[Statement]:
    """Yield what a sentence of several clauses says as one."""
    pet = _PET.match(sentence)
    if pet is not None:
        what = f"{pet['count']}{pet['of']}{pet['what']}"
        yield Statement(
            text=f"{{who}}养了{what}，叫{pet['name']}", predicate="has", value=f"{what}，叫{pet['name']}", rule="zh.pair", category="possession", importance=0.6
        )  # fmt: skip
    name = _NAME.match(sentence)
    if name is not None:
        whole = (
            name["name"]
            if name["name"].startswith(name["surname"]) or not regex.match(r"\p{Han}", name["name"])
            else name["surname"] + name["name"]
        )
        yield Statement(
            text=f"{{who}}叫{whole}",
            predicate="name",
            value=whole,
            rule="zh.name",
            slot="name",
            category="person",
            importance=0.9,
        )
    other = _INSTEAD.match(sentence)
    if other is not None and (value := chinese_cut(other["value"])):
        yield Statement(
            text=f"{{who}}现在{other['verb']}{value}", predicate="prefers", value=value, rule="zh.instead", category="preference",
            importance=0.6, replaces=chinese_cut(other["old"]), changes=True,
        )  # fmt: skip
    relative = _RELATIVE.match(sentence)
    if relative is not None:
        who = relative["who"]
        yield Statement(
            text=f"{{who}}的{who}叫{relative['name']}", predicate=f"{who}_name", value=relative["name"], rule="zh.relative", category="family", importance=0.7
        )  # fmt: skip
