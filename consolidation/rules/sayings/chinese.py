"""What speaks for and against a sentence telling something that lasts, in Chinese."""

import regex

from consolidation.rules.masks import quotes
from consolidation.rules.sayings.cue import Cue, Language, words
from consolidation.rules.sayings.matter import matter

SHORT, LONG = 8, 18
"""Characters of a short sentence at most, and of a long one at least."""
_QUESTION = regex.compile(
    r"吗|呢[?？。]?$|什么|怎么(?!样都|说)|怎样|如何|哪(?!怕)|为啥|为什么|多少|几点|是不是|能不能|可不可以|要不要|咋|啥[?？]?$|对不对|好不好|[?？]\s*$"
)


def _asks(sentence: str) -> bool:
    return _QUESTION.search(sentence) is not None


def _is_short(sentence: str) -> bool:
    return len(sentence.strip()) <= SHORT


def _is_long(sentence: str) -> bool:
    return len(sentence.strip()) >= LONG


def _has_several(sentence: str) -> bool:
    return len(regex.findall(r"[，,、；]", sentence)) > 1


MATTER: dict[str, float] = {"of_health": 1.3, "of_food": 1.3, "a_value": 1.1}
CUES = (
    Cue(name="asks", has=_asks, weight=-2.3),
    words("speaker", 1.2, r"我|咱|俺|本人"),
    words(
        "kin",
        0.9,
        r"老婆|老公|妻子|丈夫|太太|爱人|老伴|媳妇|对象|男朋友|女朋友|孩子|女儿|儿子|娃|老大|老二|爸|妈|父母|奶奶|爷爷|外婆|外公|姥姥|姥爷|婆婆|公公|岳父|岳母|弟|哥|姐|妹|孙子|孙女|表姐|表弟|室友",
    ),
    words("pet", 0.6, r"猫|狗|柴犬|兔子|仓鼠|鹦鹉|宠物|金毛|泰迪|布偶|橘猫|英短"),
    words("wants", -1.1, r"打算|想要?|将来|希望|再说|应该"),
    words(
        "event",
        0.7,
        r"毕业|离婚|结婚|分手|订婚|去世|过世|走了|没了|生了|怀孕|升职|升了|退休|跳槽|辞了|辞职|离职|手术|住院|确诊",
    ),
    words("number", 1.8, r"\d"),
    words(
        "chinese_number",
        0.6,
        r"[一二三四五六七八九十两半]+(?:个|岁|月|号|点|年|次|门|天|片|周|位|只|台|辆|家|千|万|楼|级|回|杯)|周[一二三四五六日末]|星期[一二三四五六日天]|礼拜",
    ),
    words("latin", 0.8, r"[A-Za-z]{2,}"),
    words(
        "date",
        0.4,
        r"\d+月|\d+号|\d+日|月底|周[一二三四五六日末]|星期|礼拜|每(?:天|周|月|年|个|晚|早|次)|上午|下午|早上|晚上|点",
    ),
    words("naming", 0.3, r"叫(?!我|你)|姓|名字|是[\p{Han}]{2,4}$|老师|医生|教练|房东|老板"),
    words(
        "lasting",
        0.5,
        r"住|租|养|有|在[\p{Han}A-Za-z]{1,8}(?:上班|工作|做|当|读|上|住|教|开)|做|当|用(?!了一)|开(?!始|心|玩笑|口)|吃(?!了)|喝(?!了)|读|学(?!校)|教|会|属|血型|过敏|喜欢|爱|讨厌|不吃|不喝|怕|负责|专业|毕业|退休|老家|来自|是|搞|修|打工|兼职|月薪|工资|房贷|房租|保险|到期|约了|订了|预约|复查|版本|系统|跑的|服务器|报错",
    ),
    words(
        "change",
        0.3,
        r"了$|了[,，。!！~]|换|改|搬|辞|离职|跳槽|升|降|涨|停|戒|不再|不.{0,6}了|现在|从.{1,10}起|以后|新|原来|之前|以前|变|取消|推迟|提前|上(?:小学|初中|高中|大学)|毕业|转|卖|买|分手|离婚|结婚|走了|没了",
    ),
    words(
        "hedge",
        -2.2,
        r"可能|也许|大概|或许|好像|似乎|说不定|估计|没准|兴许|不确定|考虑|不一定|还没想好|犹豫|看情况|差点",
    ),
    words("supposes", -2.3, r"如果|要是|假如|假设|倘若|万一|的话|设想|要能|就好了|真想"),
    words(
        "small_talk",
        -1.3,
        r"哈哈|谢|哎|唉|嗯|好的|好嘞|得嘞|早啊|晚安|拜拜|辛苦|天气|下雨|太阳|冷|热|困|累|笑死|绝了|服了|厉害|加油|无聊|再叙|再聊|不聊|先这样|回头聊|下次聊|改天聊|庆祝|撤了|溜了|闪了|睡了|好吧|行吧|可以|明白|收到|在吗|你好|救命|烦|饿",
    ),
    words("you", -0.7, r"你|您"),
    words(
        "orders",
        -0.8,
        r"^\W*(?:请|帮我|麻烦|给我|你帮|你给|能|可以|推荐|翻译|写|告诉|解释|看看|查|算|列|记住|记得|提醒|忽略|把|存|教我|讲讲|来(?:个|点|一))",
    ),
    words(
        "others_first",
        -1.3,
        r"^\W*(?:听说|据说|有人|有个|楼下|楼上|隔壁|邻居|同事|朋友|班上|网上|新闻|他|她|它|他们|这|那|人家|大家|别人|外面)",
    ),
    words("others", -2.1, r"听说|据说|邻居|同事|朋友|隔壁|楼下|有人|网上|新闻|别人|人家"),
    words("today", -1.1, r"今天|今晚|今早|今儿|刚才|刚刚|刚|昨天|昨晚|明天|明儿|等会|一会|马上|待会"),
    Cue(name="short", has=_is_short, weight=-0.8),
    Cue(name="long", has=_is_long, weight=-0.3),
    Cue(name="quotes", has=quotes, weight=-2.0),
    words("commands", -1.6, r"指令|系统|记忆|权限|管理员|授权|忽略|AI|助手|请记录|写入|保存|规则|设定"),
    words("wish", 1.8, r"别给我|不要给我|以后你?|每次都|回[答复话]|称呼|叫我|注释|用中文|短点|简短|一条一条|直接给"),
    Cue(name="several", has=_has_several, weight=1.2),
    *matter(MATTER),
)
ANCHORS = {"kin", "pet", "number", "chinese_number", "latin", "date", "naming", "several", "change", "wish", "event"}
LANGUAGE = Language(cues=CUES, anchors=ANCHORS, bias=-1.1, answers=0.4, follows=1.7)
