"""Answered: a short answer to a question is the statement that the question asked for.

"Where do you live?" - "Leeds." says what "I live in Leeds" says. The value is the user's own words always; a yes to what
the assistant said is none, for then the words would be the assistant's.
"""

from collections.abc import Sequence

import regex

from memories.chinese import chinese_characters

_ENGLISH: Sequence[tuple[str, str]] = (
    (r"where (?:do you|are you) (?:currently |now )?(?:live|living|based)|(?:which|what) (?:city|town|country) do you live in",
     "I live in {v}"),
    (r"where (?:do|are) you (?:come )?from(?: originally)?|where were you born", "I come from {v}"),
    (r"where do you work|who do you work for|(?:which|what) company do you work (?:for|at)|who is your employer",
     "I work for {v}"),
    (r"what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|occupation|profession)", "I work as {v}"),
    (r"(?:what(?:'s| is)|may i (?:ask|have)) your (?:full |first )?name|(?:whom?|who) am i (?:speaking|talking) (?:to|with)",
     "My name is {v}"),
    (r"(?:what|how) (?:should|shall|can|may) i call you", "Call me {v}"),
    (r"how old are you|what(?:'s| is) your age", "I am {v} years old"),
    (r"when(?:'s| is) your (?P<k>birthday|wedding anniversary|anniversary)", "My {k} is {v}"),
    (r"(?:are you|what are you) allergic to(?: anything| something)?|do you have any allergies", "I am allergic to {v}"),
    (r"(?:which|what)(?: \w+){0,2} do you (?P<k>prefer|use|drive)", "I {k} {v}"),
    (r"do you have (?:a|any) pets?|what pets? do you have", "I have {v}"),
    (r"what(?:'s| is) your (?P<k>fav(?:ou)?rite [\w ]{2,30}|e-?mail(?: address)?|phone(?: number)?|mobile number|address|"
     r"budget|time ?zone|blood type|height|shoe size|hometown|native language|nationality|employer|hobby)",
     "My {k} is {v}"),
    (r"what languages? do you speak", "I speak {v}"),
    (r"(?:what|which) (?:version|firmware)(?: version)? (?:is|does) your (?P<k>[\w ]{2,30}?)(?: (?:on|run|have|running))?",
     "My {k} runs {v}"),
)  # fmt: skip
_CHINESE: Sequence[tuple[str, str]] = (
    (r"你(?:现在|目前)?(?:住|居住)在(?:哪里|哪儿|哪个城市|什么地方)", "我住在{v}"),
    (r"你(?:现在|目前)?在(?:哪里|哪儿|哪家公司|什么公司)(?:工作|上班)", "我在{v}工作"),
    (r"你(?:是)?(?:做什么(?:工作)?的|从事什么(?:工作|职业))|你的(?:工作|职业)是什么", "我是{v}"),
    (r"你叫什么(?:名字)?|你的名字是什么", "我叫{v}"),
    (r"你(?:今年)?(?:多大|几岁)(?:了)?", "我今年{v}岁"),
    (r"你对什么(?:东西|食物)?过敏", "我对{v}过敏"),
    (r"你(?:平时|最)?喜欢(?P<k>吃|喝|看|听|玩)?什么", "我喜欢{k}{v}"),
    (
        r"你的?(?P<k>邮箱|电话|手机号码?|生日|地址|预算|血型|身高)(?:地址)?是(?:什么|多少|哪天|哪一天|几号)?",
        "我的{k}是{v}",
    ),
    (r"你(?:养了?|有)(?:什么)?宠物(?:吗)?", "我养了{v}"),
    (r"你是哪里人|你来自哪里|你老家(?:在|是)哪里?儿?", "我来自{v}"),
)
_PATTERNS = [
    (
        regex.compile(
            rf"(?:^|[\s,.!?;:，。！？])(?:{asks})\s*(?:now|then|please|currently|呢|呀|啊|啦)?\s*[?？]\s*$", regex.I
        ),
        said,
    )
    for asks, said in (*_ENGLISH, *_CHINESE)
]
_LEAD = regex.compile(
    r"^(?:(?:well|oh|um|uh|hmm|sure|yes|yeah|yep|ok|okay|so|please|actually|thanks|嗯|哦|好的|好|那个|是的)[,，.。!！ ]+)*"
    r"(?:it'?s|it is|that'?s|that would be|i'?m|i am|mine is|in|at|from|as|for|to|just|是|在|叫|我是|我在|我叫)?\s*"
    r"(?=\S)",
    regex.I,
)
_NO_VALUE = regex.compile(
    r"^(?:no|nope|none|nothing|not|never|n/a|why|what|who|where|when|how|i|i'd|you|he|she|it|they|we|don't|can't|that|this|there|"
    r"yes|yeah|yep|sure|maybe|ok|okay|guess|idk|unknown|secret|skip|prefer not|whatever|anything|everything|somewhere|"
    r"没有|没|不|无|你|他|她|它|保密|随便|不知道|不告诉|为什么|什么|是的|对|好|可以|忘了)(?:\b|$|(?<=\p{Han}))",
    regex.I,
)
WORDS_MAX, HAN_MAX, VALUE_MAX_LENGTH = 8, 20, 80


def answered(question: str, answer: str) -> tuple[str, str] | None:
    """Return the statement that an answer makes of a question, and the words in it that are the answer's own.

    None for what is no question of these, and for an answer that is more, or less, than a value.
    """
    value = _value(answer)
    if value is None:
        return None
    for asks, said in _PATTERNS:
        found = asks.search(question.strip())
        if found is not None:
            kind = found.groupdict().get("k") or ""
            if said == "I work as {v}" and not regex.match(r"an?\b", value, regex.I):
                said = "I work as an {v}" if value[:1].lower() in "aeiou" else "I work as a {v}"
            return said.replace("{k}", kind.lower()).replace("{v}", value), value
    return None


def _value(answer: str) -> str | None:
    text = answer.strip().rstrip(".!。！ ")
    if "\n" in text or regex.search(
        r"[?？]|[.!。！；;]\s*\S", regex.sub(r"[\w.+-]+@[\w.-]+|(?<=\d)\.(?=\d)", "x", text)
    ):
        return None
    value = text[_LEAD.match(text).end() :] if _LEAD.match(text) else text  # type: ignore[union-attr]
    value = regex.sub(r"岁$", "", value)
    too_long = chinese_characters(value) > HAN_MAX or len(value.split()) > WORDS_MAX or len(value) > VALUE_MAX_LENGTH
    return None if not value or too_long or _NO_VALUE.match(value) else value
