"""The period that a question names: last spring, three weeks ago, in May 2023; 上周, 去年夏天, 2023年5月8日.

Only whole phrases that can mean nothing else: a wrong period would be worse than none.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import regex

from memories.periods import (
    Period,
    date,
    day,
    latest_date,
    latest_month,
    latest_season,
    month,
    quarter,
    season,
    week,
    weekday,
    weekend,
    year,
)

_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("a an one 一", "two 二 两", "three 三", "four 四", "five 五", "six 六", "seven 七", "eight 八", "nine 九",
         "ten 十", "eleven 十一", "twelve 十二"),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december"]  # fmt: skip
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SEASONS = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter",
            "春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}  # fmt: skip

_N = r"(?P<n>\d{1,3}|" + "|".join(sorted((w for w in _NUMBERS if w.isascii()), key=len, reverse=True)) + ")"
_ZH_N = r"(?<![\d一二两三四五六七八九十百千])(?P<n>\d{1,3}|十[一二]?|[一二两三四五六七八九])"
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS) + ")"
_SEASON = "(?P<season>spring|summer|autumn|fall|winter)"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"

_Meant = Callable[[dict[str, str], datetime], Period]


def period_of(question: str, at: datetime) -> Period | None:
    """Return the first period that a question names, as seen from a moment; None if it names none.

    A month or a date without a year is the last one that has begun. Days are days in UTC.
    """
    now = at.astimezone(UTC)
    for pattern, meant in _PHRASES:
        found = pattern.search(question)
        if found is not None:
            said = {name: value.lower() for name, value in found.groupdict().items() if value is not None}
            try:
                return meant(said, now)
            except (ValueError, OverflowError):
                return None  # 30 February, or a year before the first
    return None


def _number(said: str) -> int:
    return int(said) if said.isdigit() else _NUMBERS[said]


def _month_number(said: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(said[:3]))


def _ago(said: dict[str, str], at: datetime) -> Period:
    back, unit = _number(said["n"]), said["unit"]
    if unit[0] in "d天日":
        return day(at, back=back)
    if unit[0] in "w周星礼":
        return week(at, back=back)
    return month(at.year, at.month - back) if unit[0] in "m月个" else year(at.year - back)


def _lately(said: dict[str, str], at: datetime) -> Period:
    return Period(start=_ago(said, at).start, end=at)


def _relative(said: dict[str, str], at: datetime) -> Period:
    """Return this, last or the last but one of a unit."""
    back = {"last": 1, "past": 1, "previous": 1, "this": 0, "上": 1, "上上": 2, "这": 0, "本": 0}[said["which"]]
    unit = said["unit"]
    if unit in ("weekend", "周末"):
        return weekend(at, back=back)
    if unit in ("week", "周", "星期", "礼拜"):
        return week(at, back=back)
    return month(at.year, at.month - back) if unit in ("month", "月") else year(at.year - back)


def _named(said: dict[str, str], at: datetime) -> Period:
    """Return a date or a month, with its year or the last that has begun."""
    number = _month_number(said["month"]) if "month" in said else int(said["number"])
    if not 1 <= number <= 12:
        raise ValueError("there is no such month")
    if "day" in said:
        place = (number, int(said["day"]))
        return date(int(said["year"]), *place) if "year" in said else latest_date(at, *place)
    return month(int(said["year"]), number) if "year" in said else latest_month(at, number)


def _season(said: dict[str, str], at: datetime) -> Period:
    name = _SEASONS[said["season"]]
    if "year" in said:
        return season(int(said["year"]), name)
    if "which" in said:
        return season(at.year - {"去": 1, "前": 2, "今": 0}[said["which"]], name)
    return latest_season(at, name)


def _since(begun: Period, at: datetime) -> Period:
    return Period(start=begun.start, end=max(at, begun.end))


def _en(pattern: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<![\w-]|\d[,.])(?:{pattern})(?![\w-])", regex.IGNORECASE)


_PHRASES: tuple[tuple[regex.Pattern[str], _Meant], ...] = (
    (_en(r"(?P<year>\d{4})-(?P<number>\d\d)-(?P<day>\d\d)"), _named),
    (_en(rf"{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?"), _named),
    (_en(rf"{_MONTH} {_DAY}(?:,? {_YEAR})?"), _named),
    (_en(rf"{_MONTH},? (?:of )?{_YEAR}"), _named),
    (_en(rf"{_SEASON},? (?:of )?{_YEAR}"), _season),
    (_en(rf"q(?P<q>[1-4]),? (?:of )?{_YEAR}"), lambda said, at: quarter(int(said["year"]), int(said["q"]))),
    (_en(r"the day before yesterday"), lambda said, at: day(at, back=2)),
    (_en(r"yesterday"), lambda said, at: day(at, back=1)),
    (_en(r"today|this (?:morning|afternoon|evening)|tonight"), lambda said, at: day(at)),
    (_en(rf"{_N} (?P<unit>days?|weeks?|months?|years?) ago"), _ago),
    (_en(rf"(?:in|over|during|within) the (?:last|past) {_N} (?P<unit>days?|weeks?|months?|years?)"), _lately),
    (_en(r"(?P<which>last|past|previous|this) (?P<unit>weekend|week|month|year)"), _relative),
    (_en(rf"last {_SEASON}"), _season),
    (_en(rf"last (?P<weekday>{'|'.join(_DAYS)})"), lambda said, at: weekday(at, _DAYS.index(said["weekday"]))),
    (_en(rf"since {_MONTH}"), lambda said, at: _since(_named(said, at), at)),
    (_en(rf"since {_YEAR}"), lambda said, at: _since(year(int(said["year"])), at)),
    (_en(rf"(?:last|in|during) {_MONTH}"), _named),
    (_en(rf"(?:in|during|of) {_YEAR}"), lambda said, at: year(int(said["year"]))),
    (regex.compile(rf"{_YEAR}年(?P<number>\d{{1,2}})月(?P<day>\d{{1,2}})[日号]"), _named),
    (regex.compile(rf"{_YEAR}年(?P<number>\d{{1,2}})月"), _named),
    (regex.compile(rf"{_YEAR}年(?P<season>[春夏秋冬])"), _season),
    (regex.compile(rf"{_YEAR}年"), lambda said, at: year(int(said["year"]))),
    (regex.compile(r"(?<!\d)(?P<number>\d{1,2})月(?P<day>\d{1,2})[日号]"), _named),
    (regex.compile(r"(?P<which>[去前今])年(?P<season>[春夏秋冬])"), _season),
    (regex.compile(r"去年(?P<number>\d{1,2})月"), lambda said, at: month(at.year - 1, int(said["number"]))),
    (regex.compile(r"大前天"), lambda said, at: day(at, back=3)),
    (regex.compile(r"前天"), lambda said, at: day(at, back=2)),
    (regex.compile(r"昨[天晚]"), lambda said, at: day(at, back=1)),
    (regex.compile(r"今[天晚]"), lambda said, at: day(at)),
    (regex.compile(r"前年"), lambda said, at: year(at.year - 2)),
    (regex.compile(r"去年"), lambda said, at: year(at.year - 1)),
    (regex.compile(r"今年"), lambda said, at: year(at.year)),
    (regex.compile(rf"{_ZH_N}(?P<unit>天|周|个?星期|个?礼拜|个月|年)(?:以)?前"), lambda said, at: _ago(
        {**said, "unit": said["unit"].removeprefix("个")}, at)),
    (regex.compile(rf"(?:最近|过去|近){_ZH_N}(?P<unit>天|周|个?星期|个?礼拜|个月|年)"), lambda said, at: _lately(
        {**said, "unit": said["unit"].removeprefix("个")}, at)),
    (regex.compile(r"(?P<which>上上|上|这|本)个?(?P<unit>周末|周|星期|礼拜|月(?!饼))"), _relative),
    (regex.compile(r"(?<!\d)(?P<number>\d{1,2})月份"), _named),
)  # fmt: skip
