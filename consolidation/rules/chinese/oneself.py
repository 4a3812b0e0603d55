"""我住在杭州；我不再吃肉了；我从来没在上海住过；我在阿里上班."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

import regex

from consolidation.rules.candidate import Stance
from consolidation.rules.chinese.details import FIRST
from consolidation.rules.chinese.others import FAMILY, PET
from consolidation.rules.chinese.places import is_place, placed
from consolidation.rules.chinese.shape import Shape
from consolidation.rules.dates import CHINESE, began
from consolidation.rules.statement import Statement
from consolidation.rules.values import chinese_cut

SUBJECT = r"(?:我们全家|我们一家|我们家|我们|我家|咱们|咱|本人|我自己|我)"
ADVERB = (
    rf"(?:现在|目前|如今|也|还|还是|一直|平时|平常|一般|通常|其实|真的|很|非常|特别|超级?|最|比较|都|就|主要|经常|常常|常|总是|已经|刚刚|刚|最近|是|仍然|依然|从来|开始|每天|每周|每晚|每个月|从小|向来|只|"
    rf"个人|又|才|蛮|挺|更|{CHINESE})*"
)
_TIME = regex.compile(rf"({CHINESE})")
_JOB = (
    r"(?:工程师|程序员|设计师|老师|教师|教授|医生|大夫|护士|律师|会计师?|司机|厨师|记者|编辑|作家|画家|演员|歌手|导演|摄影师|建筑师|药剂师|研究员|科学家|公务员|警察|消防员|军人|农民|工人|"
    r"销售|产品经理|项目经理|经理|总监|主管|店长|老板|创始人|顾问|翻译|分析师|架构师|运维|测试|学生|研究生|博士生?|硕士生?|本科生|大学生|高中生|自由职业者|家庭主妇|全职妈妈|全职爸爸|退休\w{0,4}|博主|主播|飞行员|空姐|导游|理发师|"
    r"快递员|保安|保姆|木匠|电工|水管工|兽医|牙医|心理咨询师|健身教练|教练|音乐人|钢琴师|调酒师|咖啡师|面包师|裁缝|[\p{Han}]{1,6}(?:师|员|家|长|手|工))"
)


H, L, E, N, P = Stance.HOLDS, Stance.LACKS, Stance.ENDED, Stance.NEVER, Stance.PAST
_home = partial(Shape, predicate="lives_in", slot="residence", category="home", importance=0.8)
_work = partial(Shape, predicate="works_for", slot="employer", category="work", importance=0.7)

SHAPES: tuple[Shape, ...] = (
    _home(rule="never_lived", pattern=r"(?:从来|从)?(?:没有|没|未)(?:在)?(?P<value>.{1,15}?)(?:住过|生活过|待过|呆过)|(?:从来|从)?(?:没有|没)住过(?P<value>.+)", text="从没在{v}住过", stance=N),
    _home(rule="left", pattern=r"(?:不再|已经不|不)住(?:在)?(?P<value>.{1,15}?)了?$|(?:已经)?(?:搬离|搬出)了?(?P<value>.{1,15}?)了?$", text="不再住在{v}", stance=E, changes=True),
    Shape(rule="lived", pattern=r"(?:以前|之前|曾经|过去|原来|小时候)(?:是)?(?:住在?|在)(?!.*(?:工作|上班|任职|干|实习|上学|读书|念书)过?$)(?P<value>.{1,15}?)(?:住过|生活|住)?$", text="以前住在{v}", stance=P, predicate="lives_in", category="home"),
    _home(rule="moved", pattern=r"从(?P<old>.{1,15}?)(?:搬家?|搬迁|迁)(?:到|去|来|回)了?(?P<value>.+)", text="住在{v}", changes=True),
    _home(rule="moved", pattern=r"(?:搬家?|迁居|移居|移民)(?:到|去|来|回|至)了?(?P<value>.+)", text="住在{v}", changes=True),
    Shape(rule="lives_with", pattern=r"(?:跟|和|与)(?P<value>.{1,12}?)(?:一起)?(?:住(?:在一起)?|生活)$", text="和{v}一起住", predicate="lives_with", category="family"),
    _home(rule="lives", pattern=r"(?:住|定居|居住|常住|租住|家住)(?:在)?(?!院|过|不|得|的)(?P<value>.+)|(?:家在|家住)(?P<value>.+)", text="住在{v}"),
    _work(rule="quit", pattern=r"(?:从|离开了?)(?P<value>.{1,20}?)(?:辞职|离职|跳槽出来|退休|离开)了?$|(?:已经)?(?:不再|不)在(?P<value>.{1,20}?)(?:上班|工作|任职|干)了?$", text="不再在{v}工作", stance=E, changes=True),
    _work(rule="never_worked", pattern=r"(?:从来|从)?(?:没有|没)(?:在)?(?P<value>.{1,20}?)(?:上过班|工作过|干过|任职过)", text="从没在{v}工作过", stance=N),
    _work(rule="joined", pattern=r"(?:跳槽到|跳槽去|入职|加入|去|到)了?(?P<value>.{2,20}?)(?:上班|工作|任职)了?$|(?:跳槽到|跳槽去了?|入职|加入)了?(?P<value>.+)", text="在{v}工作", changes=True),
    Shape(rule="worked", pattern=r"(?:以前|之前|曾经|过去|原来)(?:是)?在(?P<value>.{1,20}?)(?:上班|工作|任职|干过|实习)(?:过)?$", text="以前在{v}工作", stance=P, predicate="works_for", category="work"),
    _work(rule="works", pattern=r"在(?!找|忙|努力|认真|拼命|准备|换|做|从事|搞)(?P<value>.{1,20}?)(?:上班|工作|任职|供职|就职|打工|实习)(?:了.{0,8})?$", text="在{v}工作"),
    Shape(rule="works_as", pattern=rf"(?:的(?:职业|工作)是|做|从事|当|是)(?:一名|一个|一位|个|名|位)?(?P<value>[^，。的]{{0,10}}?{_JOB})(?:的?工作)?(?:了)?$", text="是{v}", predicate="works_as", slot="occupation", category="work", importance=0.7),
    Shape(rule="works_as", pattern=rf"在(?P<where>.{{1,16}}?)(?:当|做|担任|任)(?:一名|一个|一位|个|名)?(?P<value>[^，。的]{{0,10}}?{_JOB})$", text="是{v}", predicate="works_as", slot="occupation", category="work", importance=0.7),
    Shape(rule="works_as", pattern=r"(?:在.{0,16}?)?(?:是)?(?:做|从事|搞)(?P<value>[\p{Han}A-Za-z]{0,8}?(?:开发|设计|运营|销售|研发|测试|产品|运维|金融|教育|外贸|装修|生意|翻译|投资|咨询|物流|媒体|法务|财务|人事|行政))(?:工作|的)?$", text="做{v}", predicate="works_in", slot="field", category="work", importance=0.7),
    Shape(rule="studies", pattern=r"在(?P<value>.{1,20}?)(?:上学|读书|念书|读研|读博|读大学|上大学|学习|留学)$", text="在{v}上学", predicate="studies_at", slot="school", category="work"),
    Shape(rule="learning", pattern=r"(?:正在|在)(?:自学|学习?|备考)(?P<value>.+)", text="在学{v}", predicate="studies", category="work"),
    Shape(rule="name", pattern=r"(?:的?(?:名字|姓名|全名)(?:叫|是)|叫|名叫|改名叫|改名为)(?:做)?(?P<value>[\p{Han}A-Za-z·]{1,12})$", text="叫{v}", predicate="name", slot="name", category="person", importance=0.9),
    Shape(rule="surname", pattern=r"(?:是)?姓(?P<value>\p{Han}{1,2})$", text="姓{v}", predicate="surname", slot="surname", category="person", importance=0.7),
    Shape(rule="age", pattern=r"(?:今年|已经|刚满|快)?(?P<value>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周?岁)了?$", text="{v}岁", predicate="age", slot="age", category="person"),
    Shape(rule="height", pattern=r"(?:的?身高(?:是|有)?|身高)(?P<value>\d[\d.]*\s*(?:cm|厘米|米|公分)?\d*)$", text="身高{v}", predicate="height", slot="height", category="person"),
    Shape(rule="weight", pattern=r"(?:的?体重(?:是|有)?)(?P<value>\d[\d.]*\s*(?:kg|公斤|千克|斤))$", text="体重{v}", predicate="weight", slot="weight", category="person"),
    Shape(rule="birthday", pattern=r"(?:的)?(?:生日|出生日期)(?:是|在|：|:)?(?P<value>(?:农历|阴历|阳历|公历|腊月|正月)?.*(?:[\d一二三四五六七八九十]|初|正|腊).*[日号月]|(?:农历|阴历)?[正腊一二三四五六七八九十]{1,2}月(?:初)?[一二三四五六七八九十廿]{1,3})$", text="的生日是{v}", predicate="birthday", slot="birthday", category="person", importance=0.8),
    Shape(rule="born", pattern=r"(?:出生于|生于|出生在)(?P<value>.+)|(?:是)?(?P<value>\d{4}年.{0,8}|.{2,10}?)出生的?$", text="出生于{v}", predicate="born", slot="born", category="person"),
    Shape(rule="origin", pattern=r"(?:的)?(?:老家|家乡|故乡)(?:是|在)(?P<value>.+)|(?:来自)(?P<value>.+)|是(?P<value>[\p{Han}]{2,6})人$", text="来自{v}", predicate="comes_from", slot="origin", category="person"),
    Shape(rule="allergic", pattern=r"对(?P<value>.{1,20}?)(?:严重|有点|有些|轻度|重度)?(?:过敏|不耐受)(?:了|的)?$", text="对{v}过敏", predicate="allergic_to", category="health", importance=0.9),
    Shape(rule="allergic", pattern=r"(?P<value>[^对]{1,12}?)(?:过敏|不耐受)$", text="{whole}", predicate="allergic_to", category="health", importance=0.9),
    Shape(rule="condition", pattern=r"(?:被|已经)?(?:确诊|查出|诊断|得|患|患有|患上)(?:为|出|了|是|有|上|得了)*(?P<value>.+)", text="患有{v}", predicate="has_condition", category="health", importance=0.8),
    Shape(rule="condition", pattern=r"有(?:轻度|重度|严重的|先天性|一点|点|慢性)?(?P<value>[\p{Han}]{0,6}(?:糖尿病|高血压|低血压|哮喘|心脏病|抑郁症|焦虑症|胃病|胃炎|鼻炎|颈椎病|失眠|关节炎|偏头痛|湿疹|痛风|贫血|近视|色盲|[\p{Han}]{1,4}(?:症|炎|病)))$", text="有{v}", predicate="has_condition", category="health", importance=0.8),
    Shape(rule="takes", pattern=r"(?:在|每天|长期|一直|要|早上|晚上|中午|睡前|[\d一二三四五六七八九十半点]+)*(?:吃|服用|注射|打)(?P<value>[^，。]{0,12}?(?:药|胰岛素|阿司匹林|二甲双胍|片|胶囊|mg|毫克|维生素\w?))$", text="在服用{v}", predicate="takes", category="health", importance=0.7),
    Shape(rule="blood", pattern=r"(?:的)?(?:血型)(?:是)?(?P<value>[ABO]{1,2}型?)(?:血)?$|是(?P<value>[ABO]{1,2}型)(?:血)?$", text="血型是{v}", predicate="blood_type", slot="blood type", category="health"),
    Shape(rule="diet", pattern=r"(?:是|吃|改吃)(?:个|一个)?(?P<value>素食主义者|素食者|素食|素|全素|纯素|清真)(?:的)?(?:了)?$", text="吃{v}", predicate="diet", slot="diet", category="health", importance=0.8),
    Shape(rule="no_longer", pattern=r"(?:不再|再也不|已经不)(?P<verb>喜欢|爱|吃|喝|抽|用|玩|看|听|做|养)(?P<value>.+?)了?$", text="不再{verb}{v}", predicate="likes", category="preference", stance=E, changes=True),
    Shape(rule="quit_habit", pattern=r"(?:已经|刚)?(?:戒|戒掉|戒了)了?(?P<value>烟|酒|咖啡|糖|奶茶|游戏|.{1,6}?)了?$", text="戒了{v}", predicate="does", category="health", stance=E, changes=True),
    Shape(rule="no_longer", pattern=r"(?:已经)?不(?P<verb>喜欢|爱|吃|喝|抽|玩|用|看)(?P<value>.+?)了$", text="不再{verb}{v}", predicate="likes", category="preference", stance=E, changes=True),
    Shape(rule="has_no", pattern=r"(?:没有?|并没有)(?P<value>孩子|小孩|宠物|兄弟姐妹|车|房子|驾照|对象|女朋友|男朋友)$", text="没有{v}", predicate="has", category="family", stance=L),
    Shape(rule="dislikes", pattern=r"(?P<verb>不(?:太|怎么|是很|大)?喜欢(?:吃|喝)?|不(?:太|怎么|大)?爱(?:吃|喝|看)?|讨厌|受不了|反感|不(?:能|太能)?吃|不喝|不碰)(?P<value>.+)", text="{verb}{v}", predicate="dislikes", category="preference"),
    Shape(rule="prefers", pattern=r"(?:比起|相比|相较于|与其)(?P<old>.{1,12}?)(?:来)?[，,]?(?:我)?(?:更|还是更?|宁愿|比较)(?:喜欢|偏好|爱|习惯)(?P<value>.+)", text="比起{old}更喜欢{v}", predicate="prefers", category="preference", importance=0.6),
    Shape(rule="prefers", pattern=r"(?P<verb>更喜欢|更偏好|更爱|更习惯|更倾向于|偏好|偏爱|习惯用|习惯喝|习惯吃|习惯|倾向于)(?P<value>.+)", text="{verb}{v}", predicate="prefers", category="preference", importance=0.6),
    Shape(rule="favourite", pattern=r"最喜欢的(?P<what>[\p{Han}]{1,8}?)(?:现在|目前)?是(?P<value>.+)", text="最喜欢的{what}是{v}", predicate="favourite", slot="favourite {what}", category="preference"),
    Shape(rule="likes", pattern=r"(?P<verb>改喜欢|喜欢上了|迷上了|爱上了|喜欢|爱吃|爱喝|爱看|爱听|爱玩|热爱|最爱|爱好是|的爱好是|爱好|爱)(?!你|您)(?P<value>.+)", text="喜欢{v}", predicate="likes", category="preference"),
    Shape(rule="uses", pattern=r"(?:用的|开的|骑的|戴的|的)?(?P<what>手机|电脑|笔记本|车|汽车|相机|路由器|平板|手表|耳机|系统|浏览器|编辑器|宽带|打印机|操作系统|键盘|显示器|自行车|电动车)(?:现在)?(?:是|用的是|换成了|换成|改成了)(?P<value>.+)", text="的{what}是{v}", predicate="device", slot="device {what}", category="possession"),
    Shape(rule="uses", pattern=r"(?:用的是|在用|用的|使用的是|使用)(?P<value>.+)", text="用{v}", predicate="uses", category="possession"),
    Shape(rule="drives", pattern=r"(?:开的是|开着?)(?:一辆|一台|辆)?(?P<value>[^，。会始车玩]{1,14}(?:车)?)$", text="开{v}", predicate="drives", category="possession"),
    Shape(rule="bought", pattern=r"(?:买|入手|购买|购入|订|换|领养|收养)了(?:一|两|三|几)?(?:个|只|条|台|辆|部|套|本|双|把|架|块|张|款)?(?:新的?)?(?P<value>.+)", text="买了{v}", predicate="has", category="possession", changes=True),
    Shape(rule="sold", pattern=r"(?:把)?(?P<value>.{1,12}?)(?:卖|扔|送人|处理)(?:掉)?了$", text="不再有{v}", predicate="has", category="possession", stance=E, changes=True),
    Shape(rule="pets", pattern=r"(?:家)?(?:养|有)了?(?:一|两|三|四|几|俩|\d)(?:只|条|匹|个|缸)?(?P<value>.{1,14})", text="{whole}", predicate="has", category="possession"),
    Shape(rule="status", pattern=r"(?:已经|刚|刚刚|今年|去年)?(?P<value>结婚|离婚|订婚|退休|怀孕|单身|未婚|已婚|离异|失业|分手|当妈妈|当爸爸)(?:了)?(?:\d+年)?$", text="{v}", predicate="status", slot="status", category="family", importance=0.7),
    Shape(rule="speaks", pattern=r"(?:会说|会讲|能说|讲|说)(?P<value>(?:一点)?[\p{Han}、和]{1,14}(?:语|话|文)(?:[、和][\p{Han}]{1,4}(?:语|话|文))*)$", text="会说{v}", predicate="speaks", category="person"),
    Shape(rule="plays", pattern=r"(?:会|在学|每周|经常)?(?:弹|拉|打|踢|跑|练)(?P<value>钢琴|吉他|小提琴|古筝|篮球|足球|羽毛球|乒乓球|网球|瑜伽|马拉松|太极.?|台球|步)$", text="{whole}", predicate="plays", category="leisure"),
    Shape(rule="wakes", pattern=r"(?:每天|一般|通常|平时)*(?:早上)?(?P<value>.{1,8}?点.{0,3}?)(?:就)?起床$", text="{v}起床", predicate="wakes_at", slot="wakes_at", category="person"),
    Shape(rule="habit", pattern=r"(?:早上|晚上|下班后|周末|早晨|傍晚|坚持|去|都)*(?P<value>[^，。]{0,6}?(?:跑步|游泳|健身|散步|冥想|骑车|爬山|羽毛球|篮球|足球|乒乓球|网球|瑜伽|打坐|写日记))$", text="{clause}", predicate="does", category="leisure"),
    Shape(rule="commutes", pattern=r"(?P<value>开车|坐地铁|骑车|骑自行车|骑电动车|坐公交|步行|走路|打车|坐班车)(?:去)?(?:上班|上学|通勤)$", text="{v}上班", predicate="commutes", category="work"),
    Shape(rule="religion", pattern=r"(?:信|信仰)(?P<value>佛教?|基督教?|天主教|伊斯兰教|道教)$", text="信{v}", predicate="religion", category="person"),
    Shape(rule="body", pattern=r"是(?:个)?(?P<value>左撇子|色盲|近视眼|盲人|聋人|过敏体质|糖尿病患者|高血压患者|孕妇)$", text="是{v}", predicate="has_condition", category="health"),
    Shape(rule="nickname", pattern=r"的?(?P<what>英文名|网名|昵称|小名|外号)(?:字)?(?:叫|是)(?P<value>[\p{Han}A-Za-z0-9·_]{1,14})$", text="的{what}是{v}", predicate="nickname", slot="{what}", category="person"),
)  # fmt: skip
_COMPILED = tuple(
    (shape, regex.compile(rf"^(?:{SUBJECT})?(?:的)?{ADVERB}(?P<whole>{shape.pattern})"))
    for shape in (*FIRST, *SHAPES)
)
_NEGATED = regex.compile(r"^(?:我|我们)?(?:并)?(?:不是|没有|没|不想|不会|不能|不打算|别)")
_NOT_ALL = regex.compile(r"^(?:了|一下|过|你|您|他|她|它|这|那|的(?!$)|得)")


def oneself(clause: str, said_at: datetime, *, carried: bool) -> Iterator[Statement]:
    """Yield what one clause says of the speaker; carried: the clause before named the speaker, and this names nobody."""
    own = regex.match(SUBJECT, clause)
    if (own is None and not carried and not _COMPARES.match(clause)) or _OF_KIN.match(clause):
        return
    for shape, pattern in _COMPILED:
        found = pattern.match(clause)
        if found is None:
            continue
        raw = found["value"] or ""
        if _NOT_ALL.match(raw) or (
            _NEGATED.match(clause) and shape.stance is H and shape.predicate not in {"dislikes"}
        ):
            return
        statement = _stated(shape, found, raw, said_at)
        if statement is not None:
            yield from _employer(found)
            yield statement
        return


def _employer(found: "regex.Match[str]") -> Iterator[Statement]:
    """Yield where somebody says to be something: a company, not a city."""
    where = chinese_cut(found.groupdict().get("where") or "")
    if where and not is_place(where):
        yield Statement(
            text=f"{{who}}在{where}工作", predicate="works_for", value=where, rule="zh.works", slot="employer", category="work",
            importance=0.7, changes=bool(regex.search(r"现在|目前|如今|跳槽|新", found.string)),
        )  # fmt: skip


_COMPARES = regex.compile(r"(?:比起|相比|与其).{1,12}我")
_OF_KIN = regex.compile(rf"我(?:们)?(?:家)?(?:的)?(?:{FAMILY}|{PET}|朋友|同事|老板|领导|邻居|同学|客户|室友)")
_LASTED = regex.compile(
    r"(?:快|已经|有|都|大概)?[\d一二两三四五六七八九十半几]+(?:个)?多?(?:年|个月|月|天|周|星期)多?了?$"
)
_LASTING = {"lives_in", "works_for", "does", "uses", "likes", "studies"}


def _stated(shape: Shape, found: "regex.Match[str]", raw: str, said_at: datetime) -> Statement | None:
    groups = found.groupdict()
    since = next((moment for phrase in _TIME.findall(found.string) if (moment := began(phrase, said_at))), None)
    if shape.predicate in _LASTING:
        raw = _LASTED.sub("", raw.rstrip("了"))
    value = chinese_cut(raw if shape.predicate in {"born", "birthday", "wakes_at"} else _TIME.sub("", raw))
    if not value or value == "药" or (shape.rule == "name" and not regex.match(SUBJECT, found.string)):
        return None
    if shape.predicate in {"birthday", "born", "age"}:
        since = None
    old, what, verb = chinese_cut(groups.get("old") or ""), groups.get("what") or "", groups.get("verb") or ""
    whole = chinese_cut(found["whole"])
    said_of = regex.sub(rf"^(?:{SUBJECT})", "", chinese_cut(found.string.replace("我", "", 1)) or "")
    if shape.rule == "habit" and not regex.search(r"每|经常|坚持|常常", found.string):
        return None
    text = shape.text.replace("{clause}", said_of)
    for name, said in (("{v}", value), ("{old}", old), ("{what}", what), ("{verb}", verb), ("{whole}", whole)):
        text = text.replace(name, said.replace("{", "").replace("}", ""))
    predicate, slot = placed(shape.predicate, shape.slot, value)
    return Statement(
        text="{who}" + text,
        predicate="uses" if shape.rule == "no_longer" and verb == "用" else predicate,
        value=value,
        rule=f"zh.{shape.rule}",
        stance=shape.stance,
        slot=slot.replace("{what}", what) if slot else None,
        category=shape.category,
        importance=shape.importance,
        replaces=old,
        changes=shape.changes or bool(regex.search(r"现在|目前|如今|改|换", found.string)),
        valid_from=since,
    )
