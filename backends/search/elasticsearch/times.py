"""The clauses of time: what was believed when, and what was true when."""

from datetime import datetime
from typing import Any

from backends.search.base import Where

Clause = dict[str, Any]


def time_filter(where: Where) -> list[Clause]:
    """Return the clauses of backends.search.base.Where's moments."""
    clauses: list[Clause] = []
    if where.judged_at is not None:
        # By the minute, so that the engine can keep the filter; the record judges exactly.
        clauses.append(_not(_until("expires_at", where.judged_at.replace(second=0, microsecond=0))))
    choices = [_all(_open(where))]
    if where.superseded:
        choices.append(_all([*_closed(where), *_true_at(where.valid_at)]))
    elif where.valid_at is not None:
        ended = {"range": {"ended_at": {"gt": where.valid_at.isoformat()}}}
        choices.append(_all([*_closed(where), *_true_at(where.valid_at), ended]))
    if where.archived:
        choices.append(_all([*_ended(where), *_true_at(where.valid_at)]))
    return [*clauses, choices[0] if len(choices) == 1 else {"bool": {"should": choices, "minimum_should_match": 1}}]


def _open(where: Where) -> list[Clause]:
    """Return what holds for a document that is believed at the moment."""
    if where.as_of is None:
        believed = [_not({"exists": {"field": "closed_at"}})]
    else:
        believed = [_until("accepted_at", where.as_of), _not(_until("closed_at", where.as_of))]
    if where.valid_at is not None:
        return [*believed, *_true_at(where.valid_at)]
    if where.judged_at is not None and not where.superseded:
        return [*believed, _not(_until("valid_to", where.judged_at))]
    return believed


def _closed(where: Where) -> list[Clause]:
    """Return what holds for a document that had been superseded by the moment."""
    superseded = {"term": {"superseded": True}}
    return [superseded] if where.as_of is None else [superseded, _until("closed_at", where.as_of)]


def _ended(where: Where) -> list[Clause]:
    """Return what holds for a document that had been closed by the moment without a successor."""
    closed = {"exists": {"field": "closed_at"}} if where.as_of is None else _until("closed_at", where.as_of)
    return [closed, _not({"term": {"superseded": True}})]


def _true_at(moment: datetime | None) -> list[Clause]:
    return [] if moment is None else [_until("valid_from", moment), _not(_until("valid_to", moment))]


def _until(field: str, moment: datetime) -> Clause:
    return {"range": {field: {"lte": moment.isoformat()}}}


def _not(clause: Clause) -> Clause:
    return {"bool": {"must_not": [clause]}}


def _all(clauses: list[Clause]) -> Clause:
    return {"bool": {"filter": clauses}}
