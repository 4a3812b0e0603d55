"""以后都帮我发顺丰；别再用圆通了；改用 Linux 了；现在淘宝用得多了；还是选 SF 吧."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut, key_of

_VERB = r"(?P<verb>选择|使用|用回|推荐|联系|安排|提醒|选|用|发(?!票)|走|寄|喝|吃|买|点|订|坐|看|叫)"
_SHAPES: tuple[tuple[str, str, Stance, str], ...] = (
    ("call_me", r"(?:请|以后|今后|往后|你|您|大家|都|可以|就|直接)*(?:叫|称呼|喊)我(?:为|做)?(?P<value>[\p{Han}A-Za-z]{1,8}?)(?:吧|就好|就行|即可)?$", Stance.HOLDS, "希望被称为{v}"),
    ("style", r"(?:以后|今后|往后|从现在起|下次)?(?:请|麻烦)?(?:你)?(?:跟|和|对|给)?我?(?:说话|回答我?|回复我?|回我|解释|讲话)(?:的时候|时)?(?:请|都|要|就|用|尽量)*(?P<value>(?:简短|简洁|简单|详细|口语|正式|直接|通俗|中文|英文|幽默|温和|客气)[^，。]{0,6})$", Stance.HOLDS, "希望回答{v}"),
    ("limit", r"(?:请|尽量|最好)?(?:别|不要|不)超过(?P<value>[\d一二两三四五六七八九十百千]+(?:句话?|个?字|行|段|条|点))$", Stance.HOLDS, "希望回答不超过{v}"),
    ("from_now_on_of", r"(?:我|我们)?(?:以后|今后|往后)(?P<what>[\p{Han}]{1,6}?)(?:都|就|全|一律|请|统一)+(?:用|走|发(?!票)|开|选|寄|点|买|坐)(?P<value>[^，。]+)", Stance.HOLDS, "{what}偏好{v}"),
    ("from_now_on", rf"(?:我|我们)?(?:以后|今后|往后|从今往后|从现在起|从今天起|下次开始)(?:我|我们)?(?:都|就|请|一律|全|全都|只|麻烦|帮我|给我|默认|的?快递|统一|优先|尽量|也)*{_VERB}(?P<value>[^，。]+)", Stance.HOLDS, "偏好{v}"),
    ("always", rf"(?:请|麻烦)?(?:一直|每次|默认|永远|一律|固定)(?:都|帮我|给我|请)*{_VERB}(?P<value>[^，。]+)", Stance.HOLDS, "偏好{v}"),
    ("never_again", rf"(?:请|以后|麻烦|千万|也)*(?:别|不要|不许|勿)(?:再|给我|帮我)*{_VERB}(?P<value>[^，。]+?)(?:了|啦)?$", Stance.LACKS, "不要{verb}{v}"),
    ("no_more", r"(?:我|我们)?(?:现在|以后)?(?:不要|不想要)(?!再|给|帮)(?P<value>[^，。]{1,10}?)了$", Stance.ENDED, "不再要{v}"),
    ("no_longer", rf"(?:我|我们)?(?:已经|以后|现在|也|都)*(?:不再|再也不|不){_VERB}(?P<value>[^，。]+?)了$", Stance.ENDED, "不再{verb}{v}"),
    ("switched", r"(?:我|我们)?(?:已经|现在|刚|最近|后来)*把(?P<what>[^，。从]{1,8}?)从(?P<old>[^，。]{1,12}?)(?:换|改|切换|迁移|转)(?:成|到|为|用)了?(?P<value>[^，。]+)", Stance.HOLDS, "改用{v}"),
    ("switched", r"(?:我|我们)?(?:已经|现在|刚|最近|后来)*(?:从|把)(?P<old>[^，。]{1,12}?)(?:换|改|切换|迁移|转)(?:成|到|为|用)了?(?P<value>[^，。]+)", Stance.HOLDS, "改用{v}"),
    ("switched", r"(?:我|我们)?(?:已经|现在|刚|最近|后来|都|全部)*(?:改用|换用|转用|换成|改成|换到|转到|改[喝吃坐骑开练学玩听看养买穿])了?(?P<value>[^，。]+)", Stance.HOLDS, "改用{v}"),
    ("more", r"(?:我|我们)?(?:现在|最近|如今)(?P<value>[^，。]{1,10}?)(?:用|喝|吃|买|看|玩|听|去|逛)得?(?:比较|更|要)?多(?:了|一些|一点)?$", Stance.HOLDS, "现在多用{v}"),
    ("still", r"(?:我|我们)?(?:这次|以后)?还是(?:选|用|发|走|寄|喝|要|坐)(?P<value>[^，。]{1,12}?)(?:吧|好了|算了|了)?$", Stance.HOLDS, "偏好{v}"),
    ("usually", r"(?:我的?|我们)?(?:快递|寄东西|寄件|购物|买东西|出行|上班)?(?:平时|平常|一般|通常|一直)(?:都|主要|就)*(?:是)?(?:用|喝|吃|发|寄|走|坐|骑|选|逛|看|听|玩)(?P<value>[^，。]{1,12})$", Stance.HOLDS, "平时用{v}"),
)  # fmt: skip
_COMPILED = tuple((rule, regex.compile(f"^{pattern}"), stance, text) for rule, pattern, stance, text in _SHAPES)
_FOOD = {"喝", "吃"}


def orders(clause: str, said_at: datetime, *, carried: bool) -> Iterator[Statement]:
    """Yield the standing wishes of one clause; a wish for once is none."""
    for rule, pattern, stance, text in _COMPILED:
        found = pattern.match(clause)
        if found is None:
            continue
        groups = found.groupdict()
        value = chinese_cut(
            regex.sub(
                r"(?:给我|寄|发货|快递了|(?:来|去|跟|和)?(?:联系|回复|通知|提醒|称呼|发给|寄给)我?)(?:了|吧|就行|就好)?$",
                "",
                found["value"],
            )
        )
        verb = groups.get("verb") or ""
        if not value or regex.match(r"[\d +()-]{5,}$|\S+@\S+$|(?:它|这|那|了|过|得|着|完)", value):
            return
        if rule == "usually" and (
            other := regex.search(
                r"(?:用|喝|吃|发|寄|走|坐|骑|选|逛|看|听|玩)(?=[^用喝吃发寄走坐骑选逛看听玩]*$)", clause
            )
        ):
            text = "平时" + other[0] + "{v}"
        if rule == "more" and (other := regex.search(r"(用|喝|吃|买|看|玩|听|去|逛)得?(?:比较|更|要)?多", clause)):
            text = "现在多" + other[1] + "{v}"
        if rule == "switched" and (other := regex.search(r"改[喝吃坐骑开练学玩听看养买穿]", clause)):
            text = other[0] + "{v}"
        if rule == "from_now_on" and verb in _FOOD:
            text = f"以后{verb}{{v}}"
        old = chinese_cut(groups.get("old") or "")
        said = (
            text.replace("{v}", value)
            .replace("{verb}", verb)
            .replace("{what}", groups.get("what") or "")
            .replace("{", "")
            .replace("}", "")
        )
        yield Statement(
            text=f"{{who}}{said}", predicate="called" if rule == "call_me" else "prefers", value=value, rule=f"zh.{rule}", stance=stance,
            slot="called" if rule == "call_me" else None, category="preference", importance=0.8,
            replaces=key_of(old), changes=rule not in {"usually", "still"},
        )  # fmt: skip
        return
