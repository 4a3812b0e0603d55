"""Kinds: which kinds of value a clause gives, such as an amount of money, an age, a dose or a date."""

import regex

_N = r"(?:\d[\d,.]*|[一二三四五六七八九十两百千万半]+)"
_KINDS = {
    "money": rf"[£$€¥₹]\s?\d|\b\d[\d,.]*\s?(?:k\b|euros?|dollars?|pounds?|quid|kr\b|kroner|bucks|usd|eur|gbp|a month|per month|an hour|per hour|a day|a week|pcm)|\brent\W+(?:\w+ ){{0,3}}\d|{_N}(?:块|元|刀|万|一个月|一小时|一节)|(?:房租|租金|月租|工资|月薪|时薪|房贷|单价|收费|涨到|底薪|押金)[^\d]{{0,4}}\d",
    "age": r"\bturn(?:ed|s|ing) \d+|\b\d+ (?:years?|yrs?)[- ]old|\b(?:is|who's|'s|are|i'm|aged|just) \d{1,2}(?= *(?:[,.;!)]|and\b|now\b|$))|(?:\d+|[一二三四五六七八九十两]+)岁|^\W*\p{Lu}\w+,? \d{1,2}(?!\d)(?=[,.; ]*$)|,? \p{Lu}\w+,? \d{1,2}$",
    "dose": rf"\b\d[\d.,]*\s?(?:mg|mcg|µg|ug|ml|g|units|iu|puffs?|tablets?)\b|{_N}(?:毫克|微克|片|粒|单位|支)|\d\s?(?:mg|ug)",
    "phone": r"(?<!\d)\+?\d[\d -]{7,}\d(?!\d)|\b(?:ext|extension)\W{0,2}\d+|尾号\d+",
    "email": r"[\w.+-]+@[\w-]+",
    "version": r"\bv?\d+\.\d+(?:\.\d+)*\b|[A-Za-z]{2,} ?\d{1,4}\b(?!\s?(?:mg|km|am|pm|%))",
    "date": r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2} (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b\d{1,2}/\d{1,2}\b|[\d一二三四五六七八九十]+[月号日](?!常|子)",
    "weekday": r"\b(?:mon|tue|wed|thu|fri|sat|sun)(?:s|day|nes|rs|ur|days|nesdays?|sdays?|rsdays?|urdays?)*\b|\bweek(?:days?|ends?)\b|\bdays a week\b|周[一二三四五六日末天]|星期|礼拜[一二三四五六日天]|[一二三四五六]{2,}(?=晚|下|早|上|去|跑|游)",
    "time": r"\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b|\b\d{1,2}:\d\d\b|\b(?:at|till|until|from) \d{1,2}\b|[\d一二三四五六七八九十两]+点",
    "grade": r"\b(?:year|grade|p|class|form) ?\d+\b|\b\d+(?:st|nd|rd|th) grade|[一二三四五六]年级|初[一二三]|高[一二三]|[大中小]班|大[一二三四](?!\w)|研[一二三]",
    "level": r"\b[abc][12]\b|\bn[1-5]\b|[ABCN][1-5]|\b(?:beginner|intermediate|advanced)\b|[四六八]级",
    "distance": rf"\b\d[\d.,]*\s?(?:km|k|miles?|metres?|meters?|lengths)\b|{_N}(?:公里|米|千米)",
    "mass": rf"\b\d[\d.]*\s?(?:kg|kilos?|lbs?|stone)\b|{_N}(?:公斤|斤)",
    "count": r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|a dozen)[ -](?:\w+ )?(?:people|kids|children|nurses|beds?|staff|tables|cats|dogs|hens|days|nights|hours|times|cups|servers|employees|members|bedrooms?|clients|classes|lessons)\b|[一二三四五六七八九十两几百\d]+(?:个|只|台|张|套|辆|家|杯|口|名|位|间|门|次|桌)",
}  # fmt: skip
_PATTERNS = {name: regex.compile(pattern, regex.I) for name, pattern in _KINDS.items()}


def kinds_of(clause: str) -> frozenset[str]:
    """Return the kinds of values in a clause."""
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(clause))
