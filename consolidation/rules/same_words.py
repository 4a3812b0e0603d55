"""Same words: which words say the same in a statement about a person, whatever stands around them.

A table and not nearness of word vectors, which was measured: 绿茶 and 红茶 have a cosine of .96, mother and father .91, but flat
and apartment .88. A pair is in it only where no sentence about a person means something else by it.
"""

from collections.abc import Mapping

_GROUPS = """
like: likes love loves loving adore adores enjoy enjoys enjoying liking fond
hate: hates hating dislike dislikes disliking detest detests loathe loathes despise despises
prefer: prefers preferring
film: films movie movies
flat: flats apartment apartments
child: children kid kids
mother: mum mom mummy mommy mam
father: dad daddy papa
grandmother: grandma granny nan
grandfather: grandpa granddad grandad
short: brief concise
answer: answers reply replies response responses
detailed: in-depth
doctor: doctors physician physicians
lawyer: lawyers attorney attorneys
teacher: teachers schoolteacher
bicycle: bicycles bike bikes
car: cars automobile automobiles
glasses: spectacles eyeglasses
scared: afraid frightened
fridge: fridges refrigerator refrigerators
television: televisions tv telly
telephone: phone telephones phones
mobile: mobiles cellphone cellphones smartphone smartphones
sofa: sofas couch couches
email: e-mail emails e-mails
website: websites site sites
coriander: cilantro
aubergine: aubergines eggplant eggplants
courgette: courgettes zucchini zucchinis
allergy: allergic allergies
migraine: migraines
cook: cooks cooking
hike: hikes hiking
run: runs running
jog: jogs jogging
swim: swims swimming
read: reads reading
dance: dances dancing
climb: climbs climbing
sing: sings singing
draw: draws drawing
bake: bakes baking
cycle: cycles cycling
knit: knits knitting
travel: travels travelling traveling
write: writes writing
every: each
begin: begins start starts
began: started
buy: buys purchase purchases
bought: purchased
big: large
little: small
quick: fast
job: occupation profession
surname: surnames
birthday: birthdate
colour: color colours colors
favourite: favorite favourites favorites
flavour: flavor flavours flavors
neighbour: neighbor neighbours neighbors
grey: gray
theatre: theater theatres theaters
centre: center centres centers
metre: meter metres meters
litre: liter litres liters
kilometre: kilometer kilometres kilometers km
kilogram: kilograms kilo kilos kg
yoghurt: yogurt yoghurts yogurts
whisky: whiskey
doughnut: donut doughnuts donuts
pyjamas: pajamas
organise: organize organises organizes
live: lives living reside resides residing
vegetarian: veggie vegetarians
plane: planes aeroplane airplane
elder: older
user: users me us
1: one
2: two
3: three
4: four
5: five
6: six
7: seven
8: eight
9: nine
10: ten
11: eleven
12: twelve
"""
_CHINESE_GROUPS = """
爱好=喜欢 喜爱 热爱 钟爱 爱好
讨厌=不喜欢 讨厌 厌恶 不爱 受不了
偏好=偏好 偏爱 更喜欢 更偏好
居住=居住在 居住于 定居在 定居于 住在
上班=上班 工作 任职 就职
妈妈=妈妈 母亲 老妈
爸爸=爸爸 父亲 老爸
妻子=妻子 老婆 太太 媳妇
丈夫=丈夫 老公
爷爷=爷爷 祖父
奶奶=奶奶 祖母
外公=外公 姥爷 外祖父
外婆=外婆 姥姥 外祖母
孩子=孩子 小孩 小孩子
女儿=女儿 闺女
老师=老师 教师
医生=医生 大夫
番茄=番茄 西红柿
土豆=土豆 马铃薯
自行车=自行车 单车 脚踏车
电影=电影 影片
出租车=出租车 计程车
电脑=电脑 计算机
邮箱=邮箱 电子邮箱 邮箱地址 电邮
早上=早上 早晨
晚上=晚上 晚间
每天=每天 每日 天天
周=星期 礼拜 周
周日=周日 周天 星期日 星期天 礼拜天 礼拜日
猫=猫咪 猫
狗=狗狗 狗
用=使用 用
学=学习
乘=乘坐 搭乘 乘 坐 搭
购买=购买 买
旅游=旅游 旅行
打算=打算 计划
简短=简短 简洁 简明
回答=回答 答复 回复
名字=名字叫 名叫 叫做 名字是 名字 叫
养=养了 养着 养 有
宾馆=酒店 宾馆
"""


def _english() -> Mapping[str, str]:
    found = {}
    for line in _GROUPS.strip().splitlines():
        head, _, others = line.partition(": ")
        found.update(dict.fromkeys([head, *others.split()], head))
    return found


def _chinese() -> Mapping[str, str]:
    found = {}
    for line in _CHINESE_GROUPS.strip().splitlines():
        head, _, words = line.partition("=")
        found.update(dict.fromkeys(words.split(), head))
    return found


ENGLISH: Mapping[str, str] = _english()
"""A word in lower case -> the one that stands for it."""
CHINESE: Mapping[str, str] = _chinese()
