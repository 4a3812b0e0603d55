"""What was believed when, and what was true when: every engine agrees with a plain evaluation in Python."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from uuid import UUID

from backends.search.base import SearchEngine, Where
from backends.search.changes import Change
from backends.search.reach import Reach
from tests.backends.engine_case import EngineCase
from tests.backends.made import MORNING, axis, change

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One document's moments."""

    valid_from: datetime
    valid_to: datetime | None
    accepted_at: datetime
    closed_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None
    superseded: bool

    def is_answer(self, where: Where) -> bool:
        """Evaluate backends.search.base.Where as it is written there."""
        judged = where.judged_at
        if self.expires_at and judged and self.expires_at <= judged:
            return False
        if where.as_of is None:
            believed = self.closed_at is None
        else:
            believed = self.accepted_at <= where.as_of and not (self.closed_at and self.closed_at <= where.as_of)
        then = where.valid_at
        true = then is None or (self.valid_from <= then and not (self.valid_to and self.valid_to <= then))
        over = then is None and judged and not where.superseded and self.valid_to and self.valid_to <= judged
        if believed and true and not over:
            return True
        by_then = where.as_of is None or (self.closed_at and self.closed_at <= where.as_of)
        if where.archived and self.closed_at and by_then and not self.superseded and true:
            return True
        gone = self.superseded and by_then
        if where.superseded:
            return bool(gone and true)
        return bool(gone and true and then is not None and self.ended_at and self.ended_at > then)


def some_rows(number: int) -> list[Row]:
    """Return rows with moments on whole days, many of them the same."""
    chance = random.Random(7)  # noqa: S311 - reproducible, not secret
    days = [MORNING + DAY * day for day in range(6)]
    rows = []
    for _ in range(number):
        valid_from, accepted_at = chance.choice(days[:4]), chance.choice(days[:4])
        ends = [moment for moment in days if moment > valid_from]
        closes = [moment for moment in days if moment > accepted_at]
        closed_at = chance.choice([None, *closes])
        superseded = closed_at is not None and chance.random() < 0.7
        rows.append(
            Row(
                valid_from=valid_from,
                valid_to=chance.choice([None, None, *ends]),
                accepted_at=accepted_at,
                closed_at=closed_at,
                ended_at=chance.choice([None, *ends]) if superseded else None,
                expires_at=chance.choice([None, None, *days[2:]]),
                superseded=superseded,
            )
        )
    return rows


def document(mine: Reach, row: Row, number: int) -> Change:
    """Return a row as a document that both legs find."""
    moments = {
        name: value.isoformat()
        for name in ("valid_from", "valid_to", "accepted_at", "closed_at", "ended_at", "expires_at")
        if (value := getattr(row, name)) is not None
    }
    return change(mine, f"badger {number}", embedding=axis(number % 7), superseded=row.superseded, **moments)


class TimesContract(EngineCase):
    """As-of, valid-at, expiry and supersession."""

    def test_every_moment_agrees_with_a_plain_evaluation(self, engine: SearchEngine, mine: Reach) -> None:
        rows = some_rows(120)
        documents = [document(mine, row, number) for number, row in enumerate(rows)]
        self.put(engine, *documents)
        by_id: dict[UUID, Row] = {doc.id: row for doc, row in zip(documents, rows, strict=True)}
        using = self.grant(engine, mine)
        moments = [None, MORNING, MORNING + 2 * DAY, MORNING + 4 * DAY + DAY / 2]
        asked = list(product(moments, moments, moments[:3], (False, True), (False,)))
        asked += product(moments, moments, moments[1:2], (False, True), (True,))
        for as_of, valid_at, judged_at, superseded, archived in asked:
            where = Where(
                as_of=as_of, valid_at=valid_at, judged_at=judged_at, superseded=superseded, archived=archived
            )
            expected = {doc_id for doc_id, row in by_id.items() if row.is_answer(where)}
            for text, vector in (("badger", None), ("nowhere", axis(0))):
                found = self.find(engine, mine, text, using=using, vector=vector, where=where, candidates=200)
                assert set(found) == expected, where
