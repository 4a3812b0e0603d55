"""北京、德国、温州市: names of places, which are no employers and no schools."""

import regex

_CITIES = (
    r"北京|上海|广州|深圳|杭州|成都|武汉|南京|西安|重庆|天津|苏州|长沙|郑州|青岛|厦门|大连|宁波|沈阳|济南|合肥|福州|昆明|哈尔滨|无锡|佛山|东莞|长春|石家庄|太原|南昌|南宁|贵阳|海口|三亚|"
    r"兰州|西宁|银川|乌鲁木齐|呼和浩特|拉萨|珠海|中山|惠州|温州|绍兴|嘉兴|金华|台州|常州|南通|徐州|扬州|镇江|烟台|威海|潍坊|洛阳|开封|桂林|泉州|漳州|义乌|昆山|香港|澳门|台北|高雄|台中|"
    r"新加坡|吉隆坡|曼谷|清迈|河内|胡志明市|雅加达|马尼拉|首尔|釜山|东京|大阪|京都|名古屋|横滨|福冈|札幌|孟买|新德里|班加罗尔|迪拜|多哈|特拉维夫|伊斯坦布尔|开罗|内罗毕|约翰内斯堡|开普敦|"
    r"伦敦|曼彻斯特|伯明翰|利兹|爱丁堡|格拉斯哥|剑桥|牛津|都柏林|巴黎|里昂|马赛|柏林|波恩|科隆|慕尼黑|汉堡|法兰克福|斯图加特|杜塞尔多夫|莱比锡|德累斯顿|维也纳|苏黎世|日内瓦|巴塞尔|伯尔尼|"
    r"布鲁塞尔|阿姆斯特丹|鹿特丹|海牙|莱顿|哥本哈根|斯德哥尔摩|奥斯陆|赫尔辛基|华沙|布拉格|布达佩斯|雅典|罗马|米兰|佛罗伦萨|威尼斯|都灵|马德里|巴塞罗那|里斯本|波尔图|莫斯科|圣彼得堡|基辅|"
    r"纽约|洛杉矶|旧金山|硅谷|西雅图|波士顿|芝加哥|华盛顿|休斯顿|达拉斯|奥斯汀|费城|亚特兰大|迈阿密|拉斯维加斯|圣地亚哥|圣何塞|多伦多|温哥华|蒙特利尔|渥太华|墨西哥城|圣保罗|"
    r"里约热内卢|布宜诺斯艾利斯|悉尼|墨尔本|布里斯班|珀斯|奥克兰|惠灵顿"
)
_LANDS = (
    r"[德法英美韩泰]国|中国|俄罗斯|日本|朝鲜|印度|越南|老挝|缅甸|柬埔寨|马来西亚|印尼|印度尼西亚|菲律宾|加拿大|墨西哥|巴西|阿根廷|智利|澳大利亚|澳洲|新西兰|意大利|西班牙|葡萄牙|荷兰|比利时|瑞士|"
    r"奥地利|瑞典|挪威|丹麦|芬兰|波兰|捷克|匈牙利|希腊|土耳其|以色列|埃及|南非|肯尼亚|尼日利亚|爱尔兰|苏格兰|欧洲|非洲|美洲|北美|南美|东南亚|中东|台湾|广东|广西|浙江|江苏|山东|山西|河南|河北|"
    r"湖南|湖北|四川|福建|安徽|江西|云南|贵州|陕西|甘肃|青海|辽宁|吉林|黑龙江|海南|新疆|西藏|宁夏|内蒙古?|浦东|海淀|朝阳|中关村"
)
_WHEREVER = r"国外|海外|国内|家里|家|外地|老家"
_ENDING = r"(?!.*(?:社|小|园|校|景|地|山|灾|厂|病|库)区$|.*[超夜股菜门集黑上]市$)[\p{Han}]{2,5}(?:市|县|区|省|州)"
_NAME = regex.compile(rf"(?:{_LANDS})?(?:{_CITIES}|{_LANDS}|{_ENDING})(?:市|省|州|县|区)?(?:那边|这边|那里|这里)?")
_ANYWHERE = regex.compile(rf"(?:{_WHEREVER})(?:那边|这边)?")
_SLOTS = {"works_for": ("works_in", "place of work"), "studies_at": ("studies_in", "place of study")}


def is_place(value: str) -> bool:
    """Say whether a value is a place and nothing else."""
    return bool(_NAME.fullmatch(value) or _ANYWHERE.fullmatch(value))


def placed(predicate: str, slot: str | None, value: str) -> tuple[str, str | None]:
    """Return predicate and slot of what is said of a value: who works in a place is not employed by it."""
    if predicate not in _SLOTS or not is_place(value):
        return predicate, slot
    predicate, place = _SLOTS[predicate]
    return predicate, place if slot is not None and _NAME.fullmatch(value) else None
