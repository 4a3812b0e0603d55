"""What stands before a Chinese statement and adds nothing to it: 对了, 顺便说一下, 跟你说."""

import regex

from consolidation.rules.dates import CHINESE

_LEAD = regex.compile(
    r"^(?:(?:(?:都|我|早就|已经|前面|之前|刚才|上次|不是)*(?:跟你|和你|给你|对你)?(?:说|讲|提)过?(?:好?几[遍次])?(?:了|的|过的)(?:呀|啊|嘛|吧|么)?(?=[，,、：:\s]|我)|不对|错了|不是的?|嗯+|哦+|啊|呃|唉|哎|对了|对|是的|是啊|没错|好的|好吧|好|行|另外|还有|而且|不过|但是|但|所以|因为|由于|然后|其实|说实话|老实说|顺便(?:说一下|说一句|提一下|一提)?|"
    r"补充(?:一下|一点)?|更正(?:一下)?|纠正(?:一下)?|更新(?:一下)?|你好|您好|嗨|哈喽|早上好|晚上好|谢谢你?|请?(?:你)?(?:帮我)?(?:记住|记一下|记下来?|备注一下|注意)|麻烦(?:你)?(?:帮我)?(?:记一下|记住)|"
    r"跟你说(?:一下|个事|下)?|告诉你(?:一下|个事)?|和你说(?:一下)?|需要说明的是|背景是|情况是这样的?|是这样的?|话说|总之|首先|其次|最后|第一|第二|"
    rf"现在|目前|如今|最近|刚刚?|今天|昨天|{CHINESE})[，,：:、\s]*)+"
)
_NOW = regex.compile(r"现在|目前|如今|最近|更正|更新|纠正")


def without_lead(clause: str) -> tuple[str, str]:
    """Return a clause without its lead, and the lead."""
    found = _LEAD.match(clause)
    if found is None or found.end() == len(clause):
        return clause, ""
    return clause[found.end() :], clause[: found.end()]


def says_now(lead: str) -> bool:
    """Say whether a lead means that it was otherwise before."""
    return bool(_NOW.search(lead))
