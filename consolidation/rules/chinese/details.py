"""我毕业于复旦大学；我属马；我一般晚上十一点睡觉：what is told of a life in ways of its own."""

from consolidation.rules.candidate import LEFT, Stance
from consolidation.rules.chinese.shape import Shape

FIRST: tuple[Shape, ...] = (
    Shape(rule="was", pattern=r"(?:以前|之前|曾经|原来|过去|从前|退休前)(?:是|做|当)过?(?:一名|一个|一位|个)?(?P<value>[\p{Han}]{0,8}(?:师|员|医生|护士|警察|军人|工人|农民|司机|经理|教授|会计|记者|编辑|律师|厨师|干部|校长|厂长))$", text="以前是{v}", predicate="works_as", category="work", stance=Stance.PAST),
    Shape(rule="name", pattern=r"是(?!老师|老板|老人|老公|老婆|小孩|小白|小偷|阿姨)(?P<value>(?:小|老|阿)\p{Han})$", text="叫{v}", predicate="name", slot="name", category="person", importance=0.9),
    Shape(rule="lives", pattern=r"坐标(?:是|在|：|:)?(?P<value>[\p{Han}A-Za-z]{2,10})$", text="住在{v}", predicate="lives_in", slot="residence", category="home", importance=0.8),
    Shape(rule="lives", pattern=r"(?:和|跟|与).{1,8}?(?:一起)?(?:住在|生活在|定居在)(?P<value>.{1,15})$", text="住在{v}", predicate="lives_in", slot="residence", category="home", importance=0.8),
    Shape(rule="left", pattern=r"(?:已经)?不在(?!.*(?:工作|上班|任职|干)了$)(?P<value>[\p{Han}A-Za-z]{2,8})了$|(?:已经|刚)?离开了?(?P<value>(?!一|家|这|那|座|会|办公|房间|过|几)[\p{Han}A-Za-z]{2,10}?)(?:公司)?了?$", text="离开了{v}", predicate=LEFT, stance=Stance.ENDED, changes=True),
    Shape(rule="moved_job", pattern=r"从(?P<old>.{1,15}?)跳槽?(?:到|去)了?(?P<value>[\p{Han}A-Za-z]{2,16})$", text="在{v}工作", predicate="works_for", slot="employer", category="work", importance=0.7, changes=True),
    Shape(rule="moved", pattern=r"(?:搬)?回了?(?:老家|家乡)(?P<value>[\p{Han}]{2,6}?)了?$", text="住在{v}", predicate="lives_in", slot="residence", category="home", importance=0.8, changes=True),
    Shape(rule="prefers", pattern=r"(?:更愿意|宁愿|宁可|更想)(?:坐|用|喝|吃|去|选)?(?P<value>.+)", text="更愿意选{v}", predicate="prefers", category="preference", importance=0.6),
    Shape(rule="body", pattern=r"(?P<value>血压高|血糖高|血脂高|尿酸高|血压低|血糖低|贫血|失眠|近视|远视|听力不好|腰不好|胃不好)$", text="{v}", predicate="has_condition", category="health", importance=0.8),
    Shape(rule="surgery", pattern=r"(?:做完|做了|动了|动过|做过)(?:一次|个)?(?P<value>[\p{Han}]{1,10}手术)$", text="做过{v}", predicate="has_condition", category="health", importance=0.7),
    Shape(rule="diet", pattern=r"是(?:个|一个|一名)?(?P<value>素食主义者|素食者|纯素者)$", text="是{v}", predicate="diet", slot="diet", category="health", importance=0.8),
    Shape(rule="zodiac", pattern=r"属(?P<value>[鼠牛虎兔龙蛇马羊猴鸡狗猪])的?$|是(?P<value>\p{Han}{2}座)的?$", text="{whole}", predicate="zodiac", category="person", importance=0.3),
    Shape(rule="graduated", pattern=r"毕业于(?P<value>[\p{Han}A-Za-z]{2,16})$|(?:是)?从(?P<value>[\p{Han}A-Za-z]{2,14}?)毕业的?$", text="毕业于{v}", predicate="graduated", category="work"),
    Shape(rule="major", pattern=r"(?:大学)?(?:学的是|读的是|专业是)(?P<value>[\p{Han}A-Za-z]{2,12}?)(?:专业)?$", text="学的是{v}", predicate="major", slot="major", category="work"),
    Shape(rule="can", pattern=r"会(?P<value>开车|游泳|滑雪|做饭|编程|写代码|画画|跳舞|唱歌|摄影|骑马|打字|书法)$", text="会{v}", predicate="can", category="person"),
    Shape(rule="sleeps", pattern=r"(?:晚上)?(?P<value>.{0,4}?[\d一二三四五六七八九十]+点.{0,3}?)(?:才|就)?睡(?:觉)?$", text="晚上{v}睡觉", predicate="sleeps_at", slot="sleeps_at", category="person"),
    Shape(rule="weak_at", pattern=r"(?:的)?(?P<value>英语|中文|普通话|日语|法语|德语|数学|记性|视力|听力)不(?:太|是很|怎么)?好$", text="{v}不太好", predicate="weak_at", category="person"),
    Shape(rule="prepares", pattern=r"(?:正在|在)(?:准备|备战)(?P<value>考研|高考|中考|雅思|托福|公务员考试|考公|司法考试|资格考试|[\p{Han}]{1,6}考试)$", text="在准备{v}", predicate="studies", category="work"),
    Shape(rule="status", pattern=r"(?:是)?(?P<value>自由职业|自由职业者|待业|在家带娃|全职太太|待业在家|创业)(?:了|的)?$", text="{v}", predicate="works_as", slot="occupation", category="work"),
    Shape(rule="quit", pattern=r"(?:把)?(?P<value>工作)(?:给)?(?:辞了|辞掉了|丢了)$|(?P<value>裸辞)了$", text="辞了工作", predicate="status", category="work", changes=True),
)  # fmt: skip
