"""Dates: what a phrase of time means, given when it was said. What cannot be understood is no date at all."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import regex

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sep", "sept"), ("october", "oct"),
            ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "半": 6,
}  # fmt: skip
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_COUNT = r"\d{1,3}|" + "|".join(word for word in _WORDS if word.isascii())
YEAR_MIN, YEAR_MAX = 1900, 2200

ENGLISH = (
    rf"(?:(?:since|from|as of|starting|in|on|back in|around|early|late|mid|during|this past|the start of|the end of)\s+)*"
    rf"(?:(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})(?:,?\s+(?:19|20)\d\d)?"
    rf"|(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d\d)?\b(?!\d)"
    rf"|(?:{_MONTH})(?:,?\s+(?:19|20)\d\d)?|(?:last|this)\s+(?:{_MONTH})|(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?"
    rf"|(?:last|this|next)\s+(?:week|month|year|spring|summer|autumn|fall|winter|night|weekend|"
    rf"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|satur|sat|sun)(?:day)?)|yesterday|today|tonight|this\s+morning|recently|just\s+now"
    rf"|(?:for\s+)?(?:about\s+|over\s+|almost\s+|nearly\s+|the\s+(?:last|past)\s+)?(?:{_COUNT})\s+(?:day|week|month|year)s?(?:\s+(?:ago|now|back))?)"
)
CHINESE = (
    r"(?:从|自|在|自从|大概|大约)?(?:(?:19|20)\d\d年(?:\d{1,2}月(?:份|\d{1,2}[日号])?)?|去年|今年|前年|上个?月|这个?月|上周|上星期|这周|昨天|前天|今天|"
    r"刚刚|最近|(?:\d{1,2}|[一二两三四五六七八九十半])(?:个)?(?:年|月|周|星期|天)(?:以?前|之前)|\d{1,2}月份?(?:\d{1,2}[日号])?)(?:开始|起|以来|的时候)?"
)

_UNIT_DAYS = {"day": 1, "week": 7, "天": 1, "周": 7, "星期": 7}
_ISO = regex.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_DAY_MONTH = regex.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\b(?:,?\s+((?:19|20)\d\d))?", regex.I
)
_MONTH_DAY = regex.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+((?:19|20)\d\d))?", regex.I)
_MONTH_YEAR = regex.compile(rf"\b({_MONTH})\b(?:,?\s+((?:19|20)\d\d))?", regex.I)
_AGO = regex.compile(rf"\b({_COUNT})\s+(day|week|month|year)s?\s+(?:ago|back)\b", regex.I)
_FOR = regex.compile(
    rf"\bfor\s+(?:about\s+|over\s+|almost\s+|nearly\s+|the\s+(?:last|past)\s+)?({_COUNT})\s+(day|week|month|year)s?\b",
    regex.I,
)
_LAST = regex.compile(r"\b(last|this)\s+(week|month|year)\b", regex.I)
_YEAR = regex.compile(r"\b((?:19|20)\d\d)\b")
_C_DATE = regex.compile(r"((?:19|20)\d\d)年(?:(\d{1,2})月(?:(\d{1,2})[日号])?)?")
_C_AGO = regex.compile(r"(\d{1,2}|[一二两三四五六七八九十半])个?(年|月|周|星期|天)(?:以?前|之前)")
_C_MONTH = regex.compile(r"(?<!\d)(\d{1,2})月份?(?:(\d{1,2})[日号])?")


def began(phrase: str, said_at: datetime) -> datetime | None:
    """Return the first moment of the day, month or year that a phrase of the past names, in UTC; None if it is none."""
    try:
        found = _english(phrase, said_at) or _chinese(phrase, said_at)
    except (ValueError, OverflowError):
        return None  # the 30th of February, or a hundred thousand years ago
    if found is None or not YEAR_MIN <= found.year <= YEAR_MAX or found > said_at:
        return None
    return found


_SENTENCE = regex.compile(r"[^.!?。！？；;\n，,]+|\n")


def days_in(text: str, said_at: datetime) -> frozenset[date]:
    """Return the days that a text names: those it dates, past or to come, and those on which what it tells of began.

    A month or a year is its first day. A day without a year is that of the year it was said in, or of those beside it.
    """
    found: set[date] = set()
    for phrase in _SENTENCE.findall(text):
        if (start := began(phrase, said_at)) is not None:
            found.add(start.date())
    for year, month, day in _dated(text):
        for one in (int(year),) if year else range(said_at.year - 1, said_at.year + 2):
            try:
                found.add(date(one, month, day))
            except ValueError:
                continue  # the 30th of February
    return frozenset(found)


def _dated(text: str) -> Iterator[tuple[str | None, int, int]]:
    """Yield the year, where one is said, the month and the day of each date in a text."""
    for one in (*_ISO.finditer(text), *_C_DATE.finditer(text)):
        yield one[1], int(one[2] or 1), int(one[3] or 1)
    for one in _DAY_MONTH.finditer(text):
        yield one[3], MONTHS[one[2].lower()], int(one[1])
    for one in _MONTH_DAY.finditer(text):
        yield one[3], MONTHS[one[1].lower()], int(one[2])
    yield from ((one[2], MONTHS[one[1].lower()], 1) for one in _MONTH_YEAR.finditer(text) if one[2])
    yield from ((one[1], 1, 1) for one in _YEAR.finditer(text))
    yield from ((None, int(one[1]), int(one[2])) for one in _C_MONTH.finditer(text) if one[2])


def _english(phrase: str, said_at: datetime) -> datetime | None:
    if found := _ISO.search(phrase):
        return _at(int(found[1]), int(found[2]), int(found[3] or 1))
    if found := _DAY_MONTH.search(phrase):
        return _latest(found[3], MONTHS[found[2].lower()], int(found[1]), said_at)
    if found := _MONTH_DAY.search(phrase):
        return _latest(found[3], MONTHS[found[1].lower()], int(found[2]), said_at)
    return _relative(phrase, said_at) or _month_or_year(phrase, said_at)


def _relative(phrase: str, said_at: datetime) -> datetime | None:
    if found := _AGO.search(phrase) or _FOR.search(phrase):
        return _before(said_at, _number(found[1]), found[2].lower())
    if regex.search(r"\byesterday\b|\blast night\b", phrase, regex.I):
        return _day(said_at) - timedelta(days=1)
    if found := _LAST.search(phrase):
        return _before(said_at, 1 if found[1].lower() == "last" else 0, found[2].lower(), whole=True)
    return None


def _month_or_year(phrase: str, said_at: datetime) -> datetime | None:
    if (found := _MONTH_YEAR.search(phrase)) and not regex.fullmatch(r"may", found[0]):
        return _latest(found[2], MONTHS[found[1].lower()], 1, said_at)
    if found := _YEAR.search(phrase):
        return _at(int(found[1]))
    return None


def _chinese(phrase: str, said_at: datetime) -> datetime | None:
    if found := _C_DATE.search(phrase):
        return _at(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    if found := _C_AGO.search(phrase):
        unit = {"年": "year", "月": "month"}.get(found[2], found[2])
        return _before(said_at, _number(found[1]), "month" if found[1] == "半" else unit)
    for word, unit, back in (("前年", "year", 2), ("去年", "year", 1), ("今年", "year", 0), ("上个月", "month", 1),
                             ("上月", "month", 1), ("上周", "week", 1), ("上星期", "week", 1)):  # fmt: skip
        if word in phrase:
            return _before(said_at, back, unit, whole=True)
    for word, days in (("昨天", 1), ("前天", 2)):
        if word in phrase:
            return _day(said_at) - timedelta(days=days)
    if found := _C_MONTH.search(phrase):
        return _latest(None, int(found[1]), int(found[2] or 1), said_at)
    return None


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _WORDS[word.lower()]


def _at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def _day(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _latest(year: str | None, month: int, day: int, said_at: datetime) -> datetime:
    """Return the date; without a year, the latest one that is not after it was said."""
    if year is not None:
        return _at(int(year), month, day)
    this = _at(said_at.year, month, day)
    return this if this <= said_at else _at(said_at.year - 1, month, day)


def _before(said_at: datetime, count: int, unit: str, *, whole: bool = False) -> datetime:
    """Return the day so many units earlier; whole: the first day of that week, month or year."""
    day = _day(said_at)
    if unit in _UNIT_DAYS:
        earlier = day - timedelta(days=count * _UNIT_DAYS[unit])
        return earlier - timedelta(days=earlier.weekday()) if whole and unit in {"week", "周", "星期"} else earlier
    months = count * (12 if unit == "year" else 1)
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    if whole:
        return _at(year, 1 if unit == "year" else month + 1)
    return _at(year, month + 1, min(day.day, 28))
