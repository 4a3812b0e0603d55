"""The conditions on single documents d: what the caller asks of them, what was believed when, what was true when."""

from collections.abc import Iterator

from backends.search.base import Where
from backends.search.postgres.filtering import FilterSQL


def states(where: Where) -> list[str]:
    """Return the states of the places that can hold an answer."""
    looks_back = where.superseded or where.archived or where.valid_at is not None or where.as_of is not None
    return ["open", "timed", "closed"] if looks_back else ["open", "timed"]


def asks_every_document(where: Where) -> bool:
    """Say whether documents in open places, too, must be looked at one by one."""
    asked = (where.valid_at, where.as_of, where.filters)
    return any(value is not None for value in asked)


def restrictions(where: Where) -> str:
    """Return the condition, in SQL; backends.search.base.Where says what it means."""
    return " AND ".join([*_plain(where), f"({' OR '.join(_choices(where))})"])


def _plain(where: Where) -> Iterator[str]:
    if where.filters is not None:
        yield FilterSQL(where.filters).sql
    if where.judged_at is not None:
        yield "(d.expires_at IS NULL OR d.expires_at > %(judged_at)s)"


def _choices(where: Where) -> Iterator[str]:
    true = ["d.valid_from <= %(valid_at)s", "(d.valid_to IS NULL OR d.valid_to > %(valid_at)s)"]
    true = [] if where.valid_at is None else true
    closed = ["d.superseded", *([] if where.as_of is None else ["d.closed_at <= %(as_of)s"]), *true]
    if where.as_of is None:
        believed = ["d.closed_at IS NULL", *true]
    else:
        believed = ["d.accepted_at <= %(as_of)s", "(d.closed_at IS NULL OR d.closed_at > %(as_of)s)", *true]
    if where.valid_at is None and where.judged_at is not None and not where.superseded:
        believed.append("(d.valid_to IS NULL OR d.valid_to > %(judged_at)s)")
    yield " AND ".join(believed)
    if where.superseded:
        yield " AND ".join(closed)
    elif where.valid_at is not None:
        yield " AND ".join([*closed, "d.ended_at > %(valid_at)s"])
    if where.archived:
        by_then = "d.closed_at IS NOT NULL" if where.as_of is None else "d.closed_at <= %(as_of)s"
        yield " AND ".join([by_then, "NOT d.superseded", *true])
