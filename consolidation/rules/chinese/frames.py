"""香菜我不吃；线上升到 8.15 了；医生让我停了这个药: what is said first and what becomes of it."""

from collections.abc import Iterator
from datetime import datetime

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.chinese.oneself import oneself
from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut

THING = r"(?P<value>(?!我|你|他|她|它|这|那|也|就|都|还|怎么|真|把|今天|明天|昨天|今晚|孩子|宝宝|女儿|儿子|老|妈|爸|爷|奶|大家|人|谁|客户|同事|朋友|会议)[\p{Han}A-Za-z0-9+#. ]{1,12}?)"
ADVERB = r"(?:现在|已经|最近|都|基本上?|也|早就|好久|几乎|完全|再也|就|是)*"
_FIRST_SAID = regex.compile(
    rf"^{THING}\s*我(?:们)?{ADVERB}(?P<verb>不(?:太|怎么|能|大)?(?:吃|喝|喜欢|爱吃|爱喝|爱)|(?:很|最|特别|挺|一直)?(?:喜欢|爱吃|爱喝|爱))(?P<after>了|的)?$"
)
_STOPPED_DRUG = regex.compile(
    r"^(?:医生|大夫|主任)(?:让|叫|建议|要)我(?:先)?停(?:了|掉|用|服)*(?P<value>[\p{Han}A-Za-z]{2,14})$|^我(?:已经)?停(?:用|服|掉)了?(?P<value>[\p{Han}A-Za-z]{2,14})(?:这个药|了)?$"
)
_DRUG = regex.compile(
    r"(?:每天|每晚|每日|早晚|长期|一直|都|要|得|早上|晚上|睡前|饭后|饭前)+(?:各)?(?:吃|服用?|打|注射)(?P<dose>[一二两三四半\d]+(?:片|粒|颗|支|毫克|mg|针|包))(?:的)?(?P<value>[\p{Han}A-Za-z]{2,14})$"
)
_UPDATED = regex.compile(
    r"^(?:我(?:们)?(?:的)?)?(?P<what>[\p{Han}A-Za-z ]{0,14}?)(?:已经|刚刚|刚|都|现在|也|全)*(?:升|升级|更新|迁移|迁|换|切|降级?)(?:级|新)?(?:到|成|为|至)了?\s*(?P<value>[A-Za-z+#. ]{0,20}[vV]?\d+(?:\.\d+)+)\s*(?:版本?)?了?$"
)
_RUNS = regex.compile(
    r"^(?:我(?:们)?(?:的|家)?)?(?P<what>线上|生产(?:环境)?|测试(?:环境)?|预发(?:环境)?|本地|公司|服务器上?)(?:现在|目前)?(?:用的是|跑的是|在用|用|跑着?|装的是)\s*(?P<value>[A-Za-z][\w+#.]*(?:\s+[A-Za-z][\w+#.]*){0,2}(?:\s*[vV]?\d+(?:\.\d+)*)?)$"
)
_NEW_JOB = regex.compile(
    r"^(?:我的?)?(?:新|现在的?|目前的?|如今的?)(?:公司|单位|东家|雇主|工作单位)(?:是|叫|在)(?P<value>[\p{Han}A-Za-z]{2,16})$"
)
_NEW_HOME = regex.compile(
    r"^(?:我(?:们)?的?)?(?:新家|新房子?|新住处|现在的?家|现在的?住处)(?:就)?(?:在|是)(?P<value>[\p{Han}A-Za-z]{2,14})$"
)
_OWES = regex.compile(
    r"^我(?:们)?(?:还|一共|总共|现在)*欠(?:了|着)?(?P<value>.{0,10}?[\d一二两三四五六七八九十百千万]+.{0,6})$"
)
_APPOINTED = regex.compile(
    r"^(?P<value>(?:\d{1,2}月\d{1,2}[日号]|(?:下下?个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天]|下个?月(?:[\d一二三四五六七八九十]{1,3}[日号])|明天|后天|大后天)(?:早上|上午|中午|下午|晚上)?(?:[\d一二两三四五六七八九十]{1,3}点(?:半|[\d一二三四五六七八九十]{1,3}分?)?)?)(?:我(?:们)?)?(?:要|得|有(?:一?个|一?场)?|约了|约好了?)(?P<what>.{0,4}?(?:见|去见|体检|面试|开会|会议|手术|复查|看医生|看牙|考试|航班|飞机|婚礼|答辩|面谈|预约|医生|牙医|客户).{0,14})$"
)
_NEVER_DID = regex.compile(
    r"^我(?:们)?(?:从来|从|根本|压根)+(?:没有|没)(?P<verb>用|买|养|开|吃|喝|玩|抽)过(?P<value>[\p{Han}A-Za-z0-9 ]{1,14})$"
)
_NEVER_PREDICATES = {
    "用": "uses",
    "买": "has",
    "养": "has",
    "开": "drives",
    "吃": "eats",
    "喝": "drinks",
    "玩": "plays",
    "抽": "smokes",
}


def frames(clause: str, said_at: datetime, *, carried: bool) -> Iterator[Statement]:
    """Yield what one clause says in one of these frames."""
    first = _FIRST_SAID.match(clause)
    if first is not None:
        after = "了" if first["after"] == "了" else ""
        yield from oneself(f"我{first['verb']}{first['value'].strip()}{after}", said_at, carried=carried)
        return
    for read in (_never, _accounts, _appointed, _health, _versions):
        found = list(read(clause, carried=carried))
        if found:
            yield from found
            return


def _accounts(clause: str, *, carried: bool) -> Iterator[Statement]:
    job = _NEW_JOB.match(clause) if carried or clause.startswith("我") else None
    if job is not None and (value := chinese_cut(job["value"])):
        yield Statement(
            text=f"{{who}}在{value}工作", predicate="works_for", value=value, rule="zh.works", slot="employer", category="work",
            importance=0.7, changes=True,
        )  # fmt: skip
    home = _NEW_HOME.match(clause) if carried or clause.startswith("我") else None
    if home is not None and (value := chinese_cut(home["value"])):
        yield Statement(
            text=f"{{who}}住在{value}", predicate="lives_in", value=value, rule="zh.lives", slot="residence", category="home",
            importance=0.8, changes=True,
        )  # fmt: skip
    owes = _OWES.match(clause)
    if owes is not None and (value := chinese_cut(owes["value"])):
        yield Statement(
            text=f"{{who}}欠{value}", predicate="owes", value=value, rule="zh.owes", category="money", importance=0.6
        )


def _appointed(clause: str, *, carried: bool) -> Iterator[Statement]:
    found = _APPOINTED.match(clause) if carried or "我" in clause else None
    if found is not None:
        said = clause.replace("我们", "").replace("我", "")
        yield Statement(
            text=f"{{who}}{said}",
            predicate="appointment",
            value=said,
            rule="zh.appointment",
            category="plan",
            importance=0.6,
            ttl_days=180,
        )


def _health(clause: str, *, carried: bool) -> Iterator[Statement]:
    stopped = _STOPPED_DRUG.match(clause)
    if stopped is not None and (value := chinese_cut(stopped["value"])):
        yield Statement(
            text=f"{{who}}停用了{value}", predicate="takes", value=value, rule="zh.stopped", stance=Stance.ENDED, category="health",
            importance=0.8, changes=True,
        )  # fmt: skip
        return
    takes = _DRUG.search(clause) if carried or clause.startswith("我") else None
    if takes is not None and (value := chinese_cut(takes["value"])):
        yield Statement(
            text=f"{{who}}在服用{value}",
            predicate="takes",
            value=value,
            rule="zh.takes",
            category="health",
            importance=0.7,
        )


def _versions(clause: str, *, carried: bool) -> Iterator[Statement]:
    for pattern, changes in ((_UPDATED, True), (_RUNS, False)):
        found = pattern.match(clause)
        if found is None:
            continue
        what, value = found["what"].strip(), found["value"].strip()
        yield Statement(
            text=f"{{who}}的{what or '系统'}用的是{value}", predicate="version", value=value, rule="zh.version", category="possession",
            changes=changes or "现在" in clause,
        )  # fmt: skip
        return


def _never(clause: str, *, carried: bool) -> Iterator[Statement]:
    never = _NEVER_DID.match(clause)
    if never is not None and (value := chinese_cut(never["value"])):
        yield Statement(
            text=f"{{who}}从没{never['verb']}过{value}", predicate=_NEVER_PREDICATES[never["verb"]], value=value, rule="zh.never",
            stance=Stance.NEVER, category="preference",
        )  # fmt: skip
