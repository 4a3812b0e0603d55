"""Periods of the calendar, half-open, in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""Meteorological, of the northern half; the month each begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From start, included, to end, excluded. Raises ValueError or OverflowError outside years 1 to 9999."""

    start: datetime
    end: datetime


def day(at: datetime, *, back: int = 0) -> Period:
    """Return the day that lies so many days before another."""
    start = at.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=back)
    return Period(start=start, end=start + timedelta(days=1))


def week(at: datetime, *, back: int = 0) -> Period:
    """Return a week, Monday to Sunday."""
    start = day(at, back=at.weekday() + 7 * back).start
    return Period(start=start, end=start + timedelta(days=7))


def weekend(at: datetime, *, back: int = 0) -> Period:
    """Return the Saturday and Sunday of a week."""
    end = week(at, back=back).end
    return Period(start=end - timedelta(days=2), end=end)


def weekday(at: datetime, number: int) -> Period:
    """Return the last such day before today; 0 = Monday."""
    return day(at, back=(at.weekday() - number - 1) % 7 + 1)


def month(year: int, number: int) -> Period:
    """Return a month, 1 to 12; a number beyond counts on into other years."""
    first = year * 12 + number - 1
    return Period(start=_first_of(first), end=_first_of(first + 1))


def year(number: int) -> Period:
    """Return a year."""
    return Period(start=_first_of(number * 12), end=_first_of(number * 12 + 12))


def quarter(year: int, number: int) -> Period:
    """Return a quarter, 1 to 4."""
    first = year * 12 + 3 * (number - 1)
    return Period(start=_first_of(first), end=_first_of(first + 3))


def season(year: int, name: str) -> Period:
    """Return a season; winter is named after the year that it begins in."""
    first = year * 12 + SEASONS[name] - 1
    return Period(start=_first_of(first), end=_first_of(first + 3))


def latest_season(at: datetime, name: str) -> Period:
    """Return the last such season that has begun; the one before, while it lasts."""
    found = season(at.year, name)
    while found.end > at:
        found = season(found.start.year - 1, name)
    return found


def latest_month(at: datetime, number: int) -> Period:
    """Return the last such month that has begun."""
    found = month(at.year, number)
    return found if found.start <= at else month(at.year - 1, number)


def date(year: int, month_number: int, day_number: int) -> Period:
    """Return a date. Raises ValueError, when there is none such."""
    return day(datetime(year, month_number, day_number, tzinfo=UTC))


def latest_date(at: datetime, month_number: int, day_number: int) -> Period:
    """Return the last such date that has come."""
    try:
        found = date(at.year, month_number, day_number)
    except ValueError:
        return date(at.year - 1, month_number, day_number)
    return found if found.start <= at else date(at.year - 1, month_number, day_number)


def _first_of(months: int) -> datetime:
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)
