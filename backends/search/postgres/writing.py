"""Writing documents: versions compared, postings and statistics kept, in one transaction a batch."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from psycopg import Connection

from backends.search import names
from backends.search.analysis import terms
from backends.search.base import Body, Change, Outcome, State

_MAKE = """
    INSERT INTO engine.document (tenant_id, kind, id, version, removed)
    SELECT tenant_id, kind, id, -1, true
    FROM unnest(%s::uuid[], %s::text[], %s::uuid[]) AS wanted (tenant_id, kind, id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING
"""
_LOCK = """
    SELECT d.no, d.version, d.removed, d.subject_id, d.compartments, d.turn_length, d.window_length,
           d.tenant_id, d.kind, d.id
    FROM engine.document d
    JOIN unnest(%s::uuid[], %s::text[], %s::uuid[]) AS wanted (tenant_id, kind, id) USING (tenant_id, kind, id)
    ORDER BY d.tenant_id, d.id, d.kind FOR UPDATE OF d
"""
_UPDATE = """
    UPDATE engine.document SET version = %(version)s, removed = %(removed)s, subject_id = %(subject_id)s,
        compartments = %(compartments)s, session_id = %(session_id)s, agent_id = %(agent_id)s, author = %(author)s,
        valid_from = %(valid_from)s, valid_to = %(valid_to)s, turn_length = %(turn_length)s,
        window_length = %(window_length)s, embedding = %(embedding)s::halfvec
    WHERE no = %(no)s
"""
_COUNT = """
    INSERT INTO engine.statistics AS held
    VALUES (%(tenant_id)s, %(kind)s, %(subject_id)s, %(compartments)s, %(documents)s, %(turn)s, %(window)s)
    ON CONFLICT (tenant_id, subject_id, kind, compartments) DO UPDATE SET
        documents = held.documents + EXCLUDED.documents, turn_length = held.turn_length + EXCLUDED.turn_length,
        window_length = held.window_length + EXCLUDED.window_length
"""
_POSTINGS = """
    INSERT INTO engine.posting (tenant_id, term, subject_id, kind, compartments, document_no, turn_frequency,
        window_frequency)
    SELECT %(tenant_id)s, term, %(subject_id)s, %(kind)s, %(compartments)s, %(no)s, turn, around
    FROM unnest(%(terms)s::text[], %(turn)s::smallint[], %(window)s::smallint[]) AS counted (term, turn, around)
"""
TERM_MAX_LENGTH = 255
FREQUENCY_MAX = 32_767

Place = tuple[str, str, str | None, tuple[str, ...] | None]
Key = tuple[UUID, str, UUID]


@dataclass(slots=True)
class Batch:
    """What one transaction will write."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    postings: list[dict[str, Any]] = field(default_factory=list)
    sums: dict[Place, list[int]] = field(default_factory=dict)


def write(connection: Connection[Any], changes: Sequence[Change]) -> list[Outcome]:
    """Apply changes in the connection's transaction.

    1. Make missing documents as tombstones below every version, then lock all, in one order against deadlocks.
    2. Keep what is newer than the engine's own version; of two changes of one document the newer.
    3. Write documents, postings and statistics.
    """
    newest: dict[Key, Change] = {}
    for change in changes:
        key = (change.tenant_id, change.kind, change.id)
        if key not in newest or newest[key].version < change.version:
            newest[key] = change
    wanted = sorted(newest, key=lambda key: (key[0], key[2], key[1]))
    columns = [[key[place] for key in wanted] for place in range(3)]
    connection.execute(_MAKE, columns)
    batch, applied = Batch(), set[int]()
    for no, version, removed, *before in connection.execute(_LOCK, columns).fetchall():
        change = newest[(before[4], before[5], before[6])]
        if change.version > version:
            _add_change(batch, change, no, None if removed else before)
            applied.add(id(change))
    _flush(connection, batch)
    return [
        Outcome(change=change, state=State.APPLIED if id(change) in applied else State.STALE) for change in changes
    ]


def _add_change(batch: Batch, change: Change, no: int, before: Sequence[Any] | None) -> None:
    """Note what a change writes; before: subject, compartments and lengths of a document that is being replaced."""
    body = change.body or {}
    turn = Counter(term[:TERM_MAX_LENGTH] for term in terms(str(body.get("turn", ""))))
    window = Counter(term[:TERM_MAX_LENGTH] for term in terms(str(body.get("window", ""))))
    row = {"no": no, **_row(change, turn_length=turn.total(), window_length=window.total())}
    batch.rows.append(row)
    if before is not None:
        batch.replaced.append(no)
        _sum(batch, change, before[0], before[1], -1, -before[2], -before[3])
    if row["removed"]:
        return
    subject, compartments = row["subject_id"], row["compartments"]
    _sum(batch, change, subject, compartments, 1, row["turn_length"], row["window_length"])
    listed = sorted(turn.keys() | window.keys())
    batch.postings.append(
        {
            **row,
            "terms": listed,
            "turn": [min(turn[term], FREQUENCY_MAX) for term in listed],
            "window": [min(window[term], FREQUENCY_MAX) for term in listed],
        }
    )


def _flush(connection: Connection[Any], batch: Batch) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM engine.posting WHERE document_no = ANY (%s)", (batch.replaced,))
        cursor.executemany(_UPDATE, batch.rows)
        cursor.executemany(_POSTINGS, batch.postings)
        cursor.executemany(
            _COUNT,
            [
                {
                    "tenant_id": place[0],
                    "kind": place[1],
                    "subject_id": place[2],
                    "compartments": list(place[3]) if place[3] else None,
                    "documents": sums[0],
                    "turn": sums[1],
                    "window": sums[2],
                }
                for place, sums in sorted(batch.sums.items(), key=repr)
            ],
        )


def _row(change: Change, *, turn_length: int, window_length: int) -> dict[str, Any]:
    """Return a document's columns; a removed one keeps nothing but its version."""
    body: Body = change.body or {}
    subject = body.get("subject_id")
    compartments = [name for name in body.get("compartments", ()) if name != names.NONE]
    embedding = body.get("embedding")
    return {
        "tenant_id": change.tenant_id,
        "kind": change.kind,
        "id": change.id,
        "version": change.version,
        "removed": change.body is None,
        "subject_id": None if subject == names.NONE else subject,
        "compartments": sorted(compartments) or None,
        "session_id": body.get("session_id"),
        "agent_id": body.get("agent_id"),
        "author": body.get("author", ""),
        "valid_from": body.get("valid_from"),
        "valid_to": body.get("valid_to"),
        "turn_length": turn_length,
        "window_length": window_length,
        "embedding": None if embedding is None else str(list(embedding)),
    }


def _sum(batch: Batch, change: Change, subject_id: object, compartments: Sequence[str] | None, *amounts: int) -> None:
    place = (
        str(change.tenant_id),
        change.kind,
        str(subject_id) if subject_id else None,
        tuple(compartments) if compartments else None,
    )
    held = batch.sums.setdefault(place, [0, 0, 0])
    for index, amount in enumerate(amounts):
        held[index] += amount
