"""我女儿叫小雨；我的预算调整到三万了；固件版本是2.3.1；报错 E-4012."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut

FAMILY = r"(?:老婆|妻子|太太|老公|丈夫|先生|爱人|女朋友|男朋友|女友|男友|妈妈|爸爸|母亲|父亲|妈|爸|爷爷|奶奶|外公|外婆|姥姥|姥爷|姐姐|妹妹|哥哥|弟弟|姐|妹|哥|弟|女儿|儿子|大女儿|小女儿|大儿子|小儿子|孩子|宝宝|双胞胎|岳母|岳父|婆婆|公公|老伴|媳妇|儿媳妇?|女婿|孙子|孙女|外孙女?|侄子|侄女|外甥女?|表[姐妹哥弟]|堂[姐妹哥弟])"
PET = r"(?:狗狗|狗|猫咪|猫|兔子|仓鼠|鹦鹉|乌龟|宠物)"

_SPOUSE = r"(?:我家)?(?:老伴|老婆|老公|媳妇|爱人)"
"""Who is meant to be one's own without a word of whose."""
_RELATIVE = regex.compile(
    rf"^(?:我(?:们)?(?:家)?(?:的|养的)?(?P<who>{FAMILY}|{PET})|(?P<who>{_SPOUSE}))(?P<how>姓|(?:下个?月|明年|今年|后天|明天|这个月)?(?:[\p{{Han}}\d]{{1,4}}[日号])?就?满|(?:的名字)?叫做?|名叫|的名字是|今年|也?对|不吃|不喝|爱吃|喜欢|是|的生日是|生日是|有)(?P<value>.+)$"
)
_CHILDREN = regex.compile(
    r"^我(?:们)?(?:家)?有(?P<value>(?:一|两|三|四|五|几|俩|\d)个?(?:孩子|女儿|儿子|小孩|娃|姐姐|妹妹|哥哥|弟弟|双胞胎).*)$"
)
_AMOUNT = regex.compile(
    r"^(?:我(?:们)?(?:现在|目前)?的?)?(?P<new>新的?)?(?:每个?月|每年|月)?(?P<what>[\p{Han}]{0,4}预算|月薪|年薪|工资|退休金|养老金|生活费|零花钱|补贴|学费|押金|上班时间|工作时间|作息时间?|房租|房贷|月租|截止日期|时区|职位|地址|收货地址|快递地址|家庭住址|住址|昵称|网名|学历|专业|星座|车牌号?|会员号|订单号|鞋码|尺码|微信号?|QQ号?|偶像|爱好|目标|主治医生|保险公司|母语)"
    r"(?:现在)?(?:每个?月|一个月)?(?:(?P<now>从.{1,10}?(?:涨|提高|增加|降|调整|改|变|升)(?:到|至|成|为)了?|调整到|调整为|提高到|增加到|涨到了?|降到|降低到|改成了?|改到了?|可以加到|加到|可以提高到|能到|改为|变成了?|换成了?|更新为)|大概是|大约是|控制在|大概在|最多|不超过|上限是|最高|一共(?:是|有)?|总共(?:是|有)?|总计|大约|大概|差不多|只有|就|在|是|有|：|:|(?=[\d一二两三四五六七八九十百]))(?P<value>.+)$"
)
_SLOTS = {
    "预算": "budget", "退休金": "pension", "养老金": "pension", "上班时间": "working hours", "工作时间": "working hours", "地址": "address", "住址": "address", "时区": "time zone", "职位": "occupation", "房租": "rent", "月租": "rent", "月薪": "salary",
    "工资": "salary", "年薪": "salary", "截止日期": "deadline", "昵称": "nickname", "专业": "major", "母语": "native language", "微信号": "wechat", "微信": "wechat",
}  # fmt: skip
"""The slots as English calls them: what is said in one language takes the place of what was said in the other."""
_VERSION = regex.compile(
    r"^(?:我(?:们)?(?:家)?的?)?(?P<what>[\p{Han}A-Za-z0-9 ]{0,14}?(?:固件|系统|版本|软件|应用|App|app|客户端|网关|中枢|路由器|手机|数据库)(?:的)?(?:固件)?(?:版本)?)(?:号)?(?:现在)?(?:是|升级到了?|更新到了?|升到了?|为|：|:)\s*(?P<value>[\p{Han}A-Za-z ]{0,10}[vV]?\d+(?:\.\d+)+\w*)$"
)
_ERROR = regex.compile(
    r"(?:报错|错误代码|错误码|故障码|报了?(?:个)?错误?|出现(?:了)?错误|提示(?:错误)?|显示(?:错误)?|错误)(?:信息|提示|代码|码)?(?:是|为|：|:)?\s*(?P<value>(?:[A-Z]{1,5}-?\d{2,6}[A-Z]?|0x[0-9A-Fa-f]{3,10}))"
)
_DID = regex.compile(
    r"^我(?:们)?(?:已经|刚刚|刚|又|都)*(?P<value>(?:重置|重启|重装|更换|升级|更新|重新配对|拔掉|恢复出厂设置)(?:过|了)?.{1,14}?(?:了?[一两三四几\d]+[次遍回])?)了?$"
)
_NUMBER = regex.compile(r"\d|[一二两三四五六七八九十百千万]")
_HEALTH = regex.compile(r"过敏|糖尿病|高血压|哮喘|自闭症|心脏病|[\p{Han}](?:症|炎|病)$|怀孕|岁|近视|\d")


def others(clause: str, said_at: datetime, *, carried: bool) -> Iterator[Statement]:
    """Yield what one clause says of the speaker's family, figures, devices and faults."""
    for read in (_family, _amount, _fault):
        found = list(read(clause, carried=carried))
        if found:
            yield from found
            return


def _family(clause: str, *, carried: bool) -> Iterator[Statement]:
    children = _CHILDREN.match(clause)
    if children is not None and (value := chinese_cut(children["value"])):
        yield Statement(
            text=f"{{who}}有{value}",
            predicate="has_family",
            value=value,
            rule="zh.children",
            category="family",
            importance=0.7,
        )
        return
    found = _RELATIVE.match(clause)
    if found is None:
        return
    who, how, value = found["who"], found["how"], chinese_cut(found["value"])
    if not value:
        return
    yield from _of_relative(who, how, value)


_HOUSEHOLD = regex.compile(r"老婆|妻子|太太|老公|丈夫|爱人|[大小]?女儿|[大小]?儿子|孩子|宝宝|狗狗?|猫咪?")
_PROFESSION = regex.compile(r"(?:师|员|医生|护士|老师|律师|学生|经理|教授)$")


def _of_relative(who: str, how: str, value: str) -> Iterator[Statement]:
    """Yield the first reading that fits: name, age, school, tastes, allergy, birthday, state."""
    fits = (
        ("叫" in how or "名字" in how, f"叫{value}", "name", value),
        (how == "姓", f"姓{value}", "surname", value),
        (how.endswith("满") and value.endswith("岁"), f"{how}{value}", "age", value),
        (how == "今年" and bool(regex.match(r"\d+岁|[一二三四五六七八九十]+岁", value)), value, "age", value),
        (how == "今年" and value.startswith("上"), value, "school", value),
        (how in {"不吃", "不喝", "爱吃", "喜欢"} and bool(_HOUSEHOLD.fullmatch(who)), f"{how}{value}", how, value),
        (how.endswith("对") and value.endswith("过敏"), f"对{value}", "allergic_to", value.removesuffix("过敏")),
        ("生日" in how, f"的生日是{value}", "birthday", value),
        (how in {"是", "有"} and _says_what(how, value), f"{how}{value}", "is", value),
    )
    for fit, said, predicate, about in fits:
        if fit:
            yield _relative(who, said, f"{who}_{predicate}", about)
            return


def _says_what(how: str, value: str) -> bool:
    return bool(_HEALTH.search(value) or (how == "是" and _PROFESSION.search(value)))


def _relative(who: str, said: str, predicate: str, value: str) -> Statement:
    return Statement(
        text=f"{{who}}的{who}{said}".replace("的的", "的"),
        predicate=predicate,
        value=value,
        rule="zh.relative",
        category="family",
        importance=0.7,
    )


def _amount(clause: str, *, carried: bool) -> Iterator[Statement]:
    found = _AMOUNT.match(clause)
    if found is None or not (clause.startswith("我") or carried):
        return
    what, value = found["what"], chinese_cut(found["value"])
    slot = next((name for word, name in _SLOTS.items() if what.endswith(word)), what)
    if not value or (regex.search(r"预算|薪|工资|租|贷|金|费|补贴|时间", what) and not _NUMBER.search(value)):
        return
    yield Statement(
        text=f"{{who}}的{what}是{value}", predicate=slot.replace(" ", "_"), value=value, rule="zh.amount", slot=slot,
        category="person", importance=0.6, changes=bool(found["now"] or found["new"]) or "现在" in clause,
    )  # fmt: skip


def _fault(clause: str, *, carried: bool) -> Iterator[Statement]:
    version = _VERSION.match(clause)
    if version is not None and len(version["what"].strip()) > 1:
        what = version["what"].strip()
        yield Statement(
            text=f"{{who}}的{what}是{version['value'].strip()}", predicate="version", value=version["value"].strip(), rule="zh.version",
            slot=f"version {what}", category="possession", changes="升" in clause or "更新" in clause,
        )  # fmt: skip
        return
    error = _ERROR.search(clause)
    if error is not None:
        yield Statement(
            text=f"{{who}}遇到错误{error['value']}",
            predicate="error",
            value=error["value"],
            rule="zh.error",
            category="support",
            ttl_days=90,
        )
        return
    did = _DID.match(clause)
    if did is not None and (value := chinese_cut(did["value"])):
        yield Statement(
            text=f"{{who}}{value}",
            predicate="did",
            value=value,
            rule="zh.did",
            category="progress",
            ttl_days=180,
            importance=0.4,
        )
