"""What the invented turns say: sentences around one word that nobody has used before, and questions for it."""

from collections.abc import Mapping, Sequence
from enum import Enum


class Language(Enum):
    """The language of a turn and its question."""

    ENGLISH = "English"
    CHINESE = "Chinese"


STATEMENTS: Mapping[Language, Sequence[str]] = {
    Language.ENGLISH: (
        "My new dentist is called {word}, her practice is behind the railway station.",
        "We named the kitten {word} because of the grey stripes on its back.",
        "From May on the boat is moored at {word}, two hours north of here.",
        "The password hint for the shed is {word}, please do not tell the children.",
        "I have started to learn {word}, a card game that my uncle brought from his travels.",
        "The plumber from {word} fixed the boiler today and wants to be paid in cash.",
        "At work they moved me to the {word} team, I start there after the holidays.",
        "My sister cannot stand {word}; if it is on the menu, order something else for her.",
        "The spare key is with {word} on the second floor while I am away.",
        "Our project has a name at last, it is {word}, and the launch is in October.",
        "The doctor prescribed {word} against the headaches, one tablet in the evening.",
        "I left my umbrella in the café next to {word}, remind me to fetch it.",
    ),
    Language.CHINESE: (
        "我新找的牙医叫{word}，诊所就在火车站后面。",
        "我们给小猫起名叫{word}，因为它背上有灰色条纹。",
        "五月起船停在{word}，从这里往北开两个小时。",
        "储藏室的密码提示是{word}，请不要告诉孩子们。",
        "我开始学{word}，是舅舅旅行带回来的一种纸牌游戏。",
        "{word}来的师傅今天修好了锅炉，他要收现金。",
        "公司把我调到{word}小组，放完假就去报到。",
        "我妹妹受不了{word}，菜单上要是有，就给她点别的。",
        "我出门的时候，备用钥匙放在二楼的{word}那里。",
        "我们的项目终于有名字了，叫{word}，十月上线。",
        "医生给我开了{word}治头疼，每天晚上吃一片。",
        "我把伞忘在{word}旁边的咖啡馆了，提醒我去拿。",
    ),
}

QUESTIONS: Mapping[Language, Sequence[str]] = {
    Language.ENGLISH: (
        "What did I tell you about {word}?",
        "Remind me about {word}, please.",
        "Who or what is {word}?",
        "There was something with {word}, what was it?",
    ),
    Language.CHINESE: (
        "关于{word}我说过什么？",
        "{word}是谁，或者是什么？",
        "请提醒我{word}的事。",
        "我提到过{word}，是怎么回事？",
    ),
}

FILLERS: Mapping[Language, Sequence[str]] = {
    Language.ENGLISH: (
        "It has been raining since Monday and the garden looks like a pond.",
        "The meeting ran late again, so I missed the early train home.",
        "I would like to cook something simple tonight, perhaps a soup with bread.",
        "The neighbours are painting their fence and the whole street smells of it.",
        "My bicycle needs a new chain before we can go on longer rides.",
        "On Saturday we visited the museum and stayed far longer than planned.",
        "The library has extended its opening hours, which suits me well.",
        "I keep forgetting to water the plants on the balcony.",
        "There is a new bakery at the corner, their rolls are excellent.",
        "The children have been practising a song for the school concert.",
        "I finally sorted the photographs of last summer into three albums.",
        "The lift is out of order, so I carried everything up by myself.",
    ),
    Language.CHINESE: (
        "从星期一开始一直下雨，院子像个小池塘。",
        "会议又拖晚了，我没赶上早一班火车。",
        "今晚想做点简单的，也许煮个汤配面包。",
        "邻居在给篱笆刷漆，整条街都是油漆味。",
        "我的自行车要换一条新链条才能骑远路。",
        "星期六我们去了博物馆，待的时间比计划长得多。",
        "图书馆延长了开放时间，对我来说很方便。",
        "我老是忘记给阳台上的花浇水。",
        "街角新开了一家面包店，他们的小面包很好吃。",
        "孩子们最近在练一首歌，准备学校的音乐会。",
        "我终于把去年夏天的照片整理成了三本相册。",
        "电梯坏了，所有东西都是我自己搬上楼的。",
    ),
}
