"""忘掉我喜欢蓝色；记住我对花生过敏；我的地址改成…；你知道我的工作吗."""

import regex

from consolidation.rules.intents.asked import Asked, Verb

_LEAD = regex.compile(r"^(?:请|麻烦|拜托|你|帮我|给我|可以|能不能|能|那|好的|嗯|现在|再|就|，|,|\s)+(?=\S)")
_KEEP = regex.compile(r"^(?:别忘|不要忘|不能忘|千万别忘)(?:了|记|掉)?(?:，|,|：|:)?(?P<rest>.+)$")
_FORGET = regex.compile(
    r"^(?:把)?(?:忘掉|忘记|忘了|删掉|删除|去掉|抹掉|清除|别再记|不要再记|别记|不要记)(?:着|住|掉|了)?(?P<rest>.+)$"
)
_FORGET_LAST = regex.compile(r"^把(?P<rest>.+?)(?:忘掉|忘记|忘了|删掉|删除|去掉|抹掉|清除)(?:吧|了)?$")
_TRAIL = regex.compile(
    r"(?:这件事情?|这一?条(?:记录|记忆)?|的(?:事情?|记录|记忆|信息)|这个?(?:事实|说法)|吧|了|谢谢|。|！|!|\.|\s)+$"
)
_THAT = regex.compile(r"^(?:关于|我(?:之前|以前|刚才)?(?:说|讲|告诉你)过?的?|有关)(?=.)")
_EVERYTHING = regex.compile(
    r"^(?:关于)?(?:我的|我说过的|你(?:知道|记得)的)?(?:所有|全部|一切)(?:的)?(?:关于我的?)?(?:记忆|事情?|东西|内容|资料|数据|记录|信息)*$"
    r"|^(?:关于我的|我的|该?用户的?)(?:记忆|事情?|资料|数据|记录|信息)*$|^(?:我|用户)$"
)
_INSTEAD = regex.compile(r"^(?P<old>.+?)[，,；;。\s]+(?:其实|现在|而是|应该是|改成|记住)*[，,]?(?P<new>我.+)$")
_STORE = regex.compile(
    r"^(?:记住|记下来?|记一下|记着|记好|记录一下|记录|备注一下|备注|牢记|存一下)(?:，|,|：|:|\s)*(?P<rest>.+)$"
)
_CHANGE = regex.compile(
    r"^(?:把|将)?(?P<what>(?:我|我们)的?[^，。]{1,12}?)(?:从[^，。]{1,30}?)?(?:已经|现在|都)?(?:改成|改为|更新为|更新成|换成|变成|变为|修改为|修改成|设为|设成|更正为)了?(?P<new>[^，。]+)"
)
_QUERY = regex.compile(
    r"^(?:你)?(?:还)?(?:知道|记得|了解|清楚)(?:关于)?(?P<about>.+?)(?:的(?:什么|哪些|信息|事情?|情况))?(?:吗|么|呢|嘛)?[?？]?$|"
    r"^(?:查一下|查查|查询|找一下|找找|告诉我|列出|列一下|说说|回忆一下|看看)(?:关于)?(?P<about>.+?)[?？。]?$|^关于(?P<about>.+?)(?:，|,)?你(?:都)?(?:知道|记得)(?:些|了)?(?:什么|哪些)[?？]?$"
)
_QUESTION = regex.compile(
    r"[?？]$|(?:吗|呢|么)[?？。]?$|什么|哪里|哪儿|哪个|哪些|谁|多少|几(?:点|岁|个|号)|怎么|为什么|是不是|有没有"
)
_STATES = regex.compile(r"^(?:我|我们|以后|今后|从现在起)")


def read_chinese(text: str) -> Asked | None:
    """Return what a sentence asks; None, when no rule understands it."""
    said = text.strip()
    bare = _LEAD.sub("", said)
    for rule in (_kept, _forgotten, _stored, _changed):
        found = rule(bare)
        if found is not None:
            return found
    return _questioned(said) or _questioned(bare) or _stated(bare) or _stated(said)


def _kept(said: str) -> Asked | None:
    found = _KEEP.match(said)
    return _store(found["rest"]) if found is not None else None


def _forgotten(said: str) -> Asked | None:
    found = _FORGET_LAST.match(said) or _FORGET.match(said)
    if found is None:
        return None
    rest = _TRAIL.sub("", found["rest"])
    if _EVERYTHING.match(rest):
        return Asked(verb=Verb.FORGET, everything=True, explicit=True, method="zh.forget")
    both = _INSTEAD.match(rest)
    if both is not None:
        old = _TRAIL.sub("", _THAT.sub("", both["old"]))
        return Asked(
            verb=Verb.UPDATE, about=old, statement=both["new"], explicit=True, retracts=True, method="zh.forget"
        )
    about = _THAT.sub("", rest)
    return Asked(verb=Verb.FORGET, about=about, explicit=True, method="zh.forget") if about else None


def _stored(said: str) -> Asked | None:
    found = _STORE.match(said)
    if found is None or _QUESTION.search(said):
        return None
    return _store(found["rest"])


def _store(rest: str) -> Asked:
    return Asked(verb=Verb.STORE, statement=rest.strip(), explicit=True, method="zh.remember")


def _changed(said: str) -> Asked | None:
    found = _CHANGE.match(said)
    if found is None:
        return None
    what, new = found["what"], _TRAIL.sub("", found["new"])
    attribute = regex.sub(r"^(?:我们|我)的?", "", what)
    return Asked(verb=Verb.UPDATE, about=what, statement=f"我的{attribute}是{new}", explicit=True, method="zh.change")


def _questioned(said: str) -> Asked | None:
    found = _QUERY.match(said)
    if found is not None:
        return Asked(verb=Verb.RETRIEVE, about=found["about"].strip(), explicit=True, method="zh.question")
    if _QUESTION.search(said):
        return Asked(verb=Verb.RETRIEVE, about=said.strip(" ?？。"), explicit=True, method="zh.question")
    return None


def _stated(said: str) -> Asked | None:
    return Asked(verb=Verb.STORE, statement=said, method="zh.statement") if _STATES.match(said) else None
