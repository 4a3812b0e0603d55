"""Changed: how strongly words say that something is no longer as it was."""

import regex

from consolidation.rules.sayings.topic import changes, corrects

STRONG, WEAK = 1.0, 0.5
_STRONG = regex.compile(
    r"\b(?:no longer|any ?more|instead|from now on|from here on|going forward|as of|effective|switch(?:ed|ing)|swapp(?:ed|ing)|swap|replac(?:ed|es|ing)|mov(?:ed|ing)|relocated|"
    r"transferred|upgraded|downgraded|migrated|converted|chang(?:ed|es)|became|become|turned|turns|bumped|upped|raised|hiked|lowered|reduced|halved|doubled|cut (?:back|down|to|out)|went (?:up|down|back|over|with|from|for)|"
    r"gone (?:up|down|back|over|from)|goes (?:up|down)|going (?:up|down)|up to|down to|up from|down from|extended|postponed|delayed|rescheduled|rearranged|brought forward|"
    r"push(?:ed)? (?:it )?(?:back|to|out)|put (?:\w+ ){0,3}back|moved up|called off|cancell?ed|scrapp?(?:ed)?|binn?(?:ed)?|chucked|ditched|dumped|dropped|axed|quit|resigned|left|leaving|retired|laid off|let go|"
    r"made redundant|fired|sacked|handed in|gave (?:my |his |her |in )?notice|gave up|given up|giving up|stopped|stop|finished|ended|closed|shut|sold|traded|got rid|get rid|rid of|out of the|packed (?:it )?in|"
    r"promoted|demoted|took over|taken over|takes over|stepped down|joined|accepted|hired|brought on|landed|started at|renamed|rebranded|reorganised|reorganized|merged|"
    r"split up|broke up|broken up|separated|divorced|engaged|got married|back together|died|passed away|put down|put to sleep|had the baby|gave birth|was born|graduated|passed|"
    r"uninstalled|deleted|unsubscribed|lapsed|expired|let it lapse|ran out|(?:taken?|took|came|come|taking|put) (?:me |him |her |them )?(?:off|on)|off the|went off|back on|back to|no more|not \w+ now|never again|"
    r"used to|over to|rather than|new|now (?:it's|it is|i'm|we're|at|in|on|with)|(?:it's|it is|i'm|we're|is|are) (?:\w+ ){0,4}now|in place of|goodbye|bye bye|so long|dead|"
    r"(?:from|starting) (?:this|next|today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"since (?:this|last|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:'s|is|are|was) off\b)\b"
    r"|换|改|搬|辞|离职|跳槽|升|降[到了为成]|涨|跌|调[到去岗成]|停|戒|不再|取消|推迟|延|提前|卖|分手|离婚|去世|过世|没了|走了|毕业|入职|转|挪|退[了掉租休学货出]|卸载|注销|放弃|恢复|代替|替换|顶替|接替|接手|变|成了|"
    r"从.{1,12}[到换]|以前.{0,12}现在|原来|本来|生了|结婚|领证|复合|满\d+|满[一二三四五六七八九十]|不.{0,8}了|没.{0,6}了|作废|作数|再见|拜拜|到此为止|结束|下线|上线|升级|迁|(?<!更|重|最|创|全)新(?!闻|年|鲜|手|冠|疆|加坡|华|建|增|发|闻)|以后|从今|今后|起(?=[,，。]|我|就|开始)|买了|提了|拆了|扔了|送人|断了|黄了|吹了|撤|关了|倒闭",
    regex.I,
)
_WEAK = regex.compile(
    r"\b(?:now|today|finally|at last|update|news|these days|nowadays|currently|just|actually|again|recently|lately|this (?:week|month|year|term|season)|has been|started|starting|got|since)\b"
    r"|现在|如今|目前|最近|开始|刚|终于|今年|这学期|总算|了[,，。!！~]?$|啦|已经",
    regex.I,
)
_ALSO = regex.compile(
    r"\b(?:also|too|as well|another|second|additional|on top of|besides|both|extra|spare|still|plus|one more|alongside|as an extra|backup)\b|另外|还[有会养用买想是]|再(?:加|养|买|来)|又(?:买|养|添|加|多|报|办)|同时|备用|第二[个只台部辆张份]|两个都|都用|兼|仍|依然|顺便",
    regex.I,
)


def strength_of(clause: str) -> float:
    """Return how strongly a clause says that something changed, in [0, 1]."""
    if changes(clause) or corrects(clause) or _STRONG.search(clause):
        return STRONG
    return WEAK if _WEAK.search(clause) else 0.0


def adds(clause: str) -> bool:
    """Say whether a clause tells of something beside what there is."""
    return _ALSO.search(clause) is not None
