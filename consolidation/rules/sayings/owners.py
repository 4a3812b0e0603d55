"""Owners: whose matter a clause tells of, the speaker's or somebody's of the speaker."""

import regex

from consolidation.rules.clauses import is_chinese

SELF, OTHER = "self", "other"
"""The speaker; somebody who is he or she."""
_ENGLISH = {
    "partner": r"wife|husband|hubby|missus|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|other half",
    "mother": r"mum|mom|mother|mam|mummy",
    "father": r"dad|father|papa|daddy",
    "parents": r"parents|folks|in-laws",
    "daughter": r"daughter|stepdaughter|little girl",
    "son": r"son|stepson|lad|our boy|my boy",
    "child": r"kids?|child|children|baby|toddler|twins|eldest|oldest|youngest|boys|girls",
    "sister": r"sister|sis",
    "brother": r"brother|bro",
    "grandparent": r"gran|nan|nana|grandma|grandmother|grandpa|granddad|grandad|grandfather",
    "grandchild": r"grand(?:son|daughter|child|children|kids)",
    "relative": r"aunt\w*|uncle|cousin|niece|nephew|mother-in-law|father-in-law|sister-in-law|brother-in-law",
    "pet": r"dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|pony|spaniel|terrier|labrador|whippet|hens?",
    "friend": r"friend|best mate|mate|neighbou?r",
    "colleague": r"colleague|coworker|co-worker|boss|manager|assistant|employee|intern|deputy",
    "flatmate": r"flatmate|housemate|roommate|roomie|lodger|tenant",
    "landlord": r"landlord|landlady",
}
_CHINESE = {
    "partner": r"老婆|老公|妻子|丈夫|太太|爱人|老伴|媳妇|对象|男朋友|女朋友|男友|女友|未婚[夫妻]|孩子(?:他)?[爸妈]",
    "mother": r"(?<!孩子)妈",
    "father": r"(?<!孩子)爸",
    "parents": r"父母|爸妈|岳父|岳母|公公|婆婆|公婆",
    "daughter": r"女儿|闺女|姑娘",
    "son": r"儿子",
    "child": r"孩子|娃|老大|老二|老三|宝宝|大宝|二宝",
    "sister": r"姐|妹",
    "brother": r"哥|弟",
    "grandparent": r"爷爷|奶奶|外公|外婆|姥姥|姥爷",
    "grandchild": r"孙子|孙女|外孙",
    "relative": r"舅|姑|叔|婶|姨|侄|表[哥姐弟妹]|堂[哥姐弟妹]",
    "pet": r"猫|狗|兔子|仓鼠|鹦鹉|金毛|泰迪|柯基|鸡",
    "friend": r"朋友(?!圈)|闺蜜|邻居|哥们",
    "colleague": r"同事|领导|老板|经理|下属|店员|徒弟|实习生",
    "flatmate": r"室友|舍友|合租",
    "landlord": r"房东|租客",
}
_CHILDREN = {"daughter", "son", "child"}
_WITHIN_WORDS = {
    name: regex.compile(rf"(?<![\p{{L}}\d])(?:{pattern})(?:'s|s)?(?![\p{{L}}\d-])", regex.I)
    for name, pattern in _ENGLISH.items()
}
_WITHIN = {name: regex.compile(pattern) for name, pattern in _CHINESE.items()}
_SELF = regex.compile(
    r"\b(?:I|I'm|I've|I'll|I'd|im|ive|i'm|i've|we|we're|we've|my own|myself|me|the user(?!'s))\b|用户(?!的)|我(?!的?(?:爸|妈|女|儿|老|姐|妹|哥|弟|媳|家|们家|男|孙|闺|表|同|室|朋|奶|爷|外|婆|公))|自己|本人",
    regex.I,
)
_OTHER = regex.compile(r"\b(?:he|she|his|her|he's|she's)\b|[他她]", regex.I)


def owners_of(clause: str) -> frozenset[str]:
    """Return whose matter a clause tells of; empty where nothing says."""
    patterns = _WITHIN if is_chinese(clause) else _WITHIN_WORDS
    found = {name for name, pattern in patterns.items() if pattern.search(clause)}
    if found & _CHILDREN:
        found.add("child")
    if not found and _OTHER.search(clause):
        found.add(OTHER)
    if _SELF.search(clause):
        found.add(SELF)
    return frozenset(found)


def are_apart(new: frozenset[str], old: frozenset[str]) -> bool:
    """Say whether two clauses tell of different people for certain."""
    if _differ(new, old) or _differ(old, new):
        return True
    if new & old:
        return False
    if OTHER in new | old:
        return frozenset({SELF}) in {new, old}
    return bool(new and old)


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    return "son" in one and "son" not in other and "daughter" in other
