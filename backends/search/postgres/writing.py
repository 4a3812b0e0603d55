"""Writing documents: versions compared, postings and statistics kept, in one transaction a batch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from backends.errors import Rejected
from backends.search.changes import Change, Outcome, State
from backends.search.facets import FACETS, MICROS
from backends.search.postgres.connection import Connection
from backends.search.postgres.rows import MOMENTS, Document, Place, document_of

_PLACE = """
    INSERT INTO engine.place (tenant_id, kind, subject_id, compartments, state) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT DO NOTHING
"""
_PLACE_NO = """
    SELECT no FROM engine.place
    WHERE tenant_id = %s AND kind = %s AND subject_id IS NOT DISTINCT FROM %s AND compartments IS NOT DISTINCT FROM %s
        AND state = %s
"""
_MAKE = """
    INSERT INTO engine.document (tenant_id, kind, id, version)
    SELECT tenant_id, kind, id, -1 FROM unnest(%s::uuid[], %s::text[], %s::uuid[]) AS wanted (tenant_id, kind, id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING
"""
_LOCK = """
    SELECT d.no, d.version, d.place_no, d.turn_length, d.window_length, d.tenant_id, d.kind, d.id
    FROM engine.document d
    JOIN unnest(%s::uuid[], %s::text[], %s::uuid[]) AS wanted (tenant_id, kind, id) USING (tenant_id, kind, id)
    ORDER BY d.tenant_id, d.id, d.kind FOR UPDATE OF d
"""
_UPDATE = """
    UPDATE engine.document SET version = %(version)s, place_no = %(place_no)s, session_id = %(session_id)s,
        agent_id = %(agent_id)s, author = %(author)s, valid_from = %(valid_from)s, valid_to = %(valid_to)s,
        accepted_at = %(accepted_at)s, closed_at = %(closed_at)s, ended_at = %(ended_at)s,
        expires_at = %(expires_at)s, superseded = %(superseded)s, facets = %(facets)s,
        valid_from_us = %(valid_from_us)s, valid_to_us = %(valid_to_us)s, recorded_us = %(recorded_us)s,
        expires_us = %(expires_us)s,
        turn_length = %(turn_length)s, window_length = %(window_length)s, embedding = %(embedding)s::halfvec
    WHERE no = %(no)s
"""
_REMOVED: Mapping[str, Any] = {
    **dict.fromkeys([*MOMENTS, *MICROS.values()]), FACETS: [], "superseded": False, "place_no": None,
    "session_id": None, "agent_id": None, "author": "", "turn_length": 0, "window_length": 0, "embedding": None,
}  # fmt: skip
"""A removed document keeps nothing but its version."""
_POSTINGS = """
    INSERT INTO engine.posting (document_no, place_no, turn_length, window_length, term, turn_frequency,
        window_frequency)
    SELECT * FROM unnest(%s::bigint[], %s::integer[], %s::integer[], %s::integer[], %s::text[], %s::smallint[],
        %s::smallint[])
"""
_FACET = "INSERT INTO engine.facet (document_no, place_no, field, tokens) VALUES (%s, %s, %s, %s)"
_PASSAGE = "INSERT INTO engine.passage (document_no, place_no, embedding) VALUES (%s, %s, %s::halfvec)"
_COUNT = """
    INSERT INTO engine.statistics AS held VALUES (%s, %s, %s, %s)
    ON CONFLICT (place_no) DO UPDATE SET documents = held.documents + EXCLUDED.documents,
        turn_length = held.turn_length + EXCLUDED.turn_length,
        window_length = held.window_length + EXCLUDED.window_length
"""

Key = tuple[UUID, str, UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One document to be written: its row's number, the change, what it becomes, and what it adds to whose sums."""

    no: int
    change: Change
    document: Document | None
    place_no: int | None
    replaced: tuple[int, int, int] | None
    """Place, turn length and window length of the document that is replaced."""


def write(connection: Connection, changes: Sequence[Change], *, again: bool = False) -> list[Outcome]:
    """Apply changes in the connection's transaction.

    again: documents that are held at the same version are written anew.

    1. Make missing documents as tombstones below every version, then lock all, in one order against deadlocks.
    2. Keep what is newer than the engine's own version; of two changes of one document the newer.
    3. Write documents, postings and statistics.
    """
    newest: dict[Key, Change] = {}
    for change in changes:
        key = (change.tenant_id, change.kind, change.id)
        if key not in newest or newest[key].version < change.version:
            newest[key] = change
    documents = {key: _made(change) for key, change in newest.items()}
    places = _numbered(connection, {document.place for document in documents.values() if document is not None})
    writes: list[Write] = []
    for no, version, place_no, turn_length, window_length, *found in _locked(connection, newest):
        key = (found[0], found[1], found[2])
        change, document = newest[key], documents[key]
        if change.version > version or (again and change.version == version and place_no is not None):
            writes.append(
                Write(
                    no=no,
                    change=change,
                    document=document,
                    place_no=None if document is None else places[document.place],
                    replaced=None if place_no is None else (place_no, turn_length, window_length),
                )
            )
    _flush(connection, writes)
    applied = {id(write.change) for write in writes}
    return [
        Outcome(change=change, state=State.APPLIED if id(change) in applied else State.STALE) for change in changes
    ]


def _made(change: Change) -> Document | None:
    """Return the document of a change. Raises Rejected, when its fields are none that the tables have."""
    try:
        return document_of(change)
    except (TypeError, ValueError) as error:
        raise Rejected("the document has a field of the wrong type") from error


def _numbered(connection: Connection, places: Iterable[Place]) -> dict[Place, int]:
    """Return the numbers of places, made if they are new."""
    numbers = {}
    for place in sorted(places, key=lambda place: place.order):
        compartments = None if place.compartments is None else list(place.compartments)
        values = (place.tenant_id, place.kind, place.subject_id, compartments, place.state)
        row = connection.execute(_PLACE_NO, values).fetchone()
        if row is None:
            connection.execute(_PLACE, values)
            row = connection.execute(_PLACE_NO, values).fetchone()
        if row is not None:
            numbers[place] = row[0]
    return numbers


def _locked(connection: Connection, keys: Iterable[Key]) -> list[tuple[Any, ...]]:
    wanted = sorted(keys, key=lambda key: (key[0], key[2], key[1]))
    columns = [[key[place] for key in wanted] for place in range(3)]
    connection.execute(_MAKE, columns)
    return connection.execute(_LOCK, columns).fetchall()


def _flush(connection: Connection, writes: Sequence[Write]) -> None:
    replaced = [write.no for write in writes if write.replaced is not None]
    with connection.cursor() as cursor:
        if replaced:
            cursor.execute("DELETE FROM engine.posting WHERE document_no = ANY (%s)", (replaced,))
            cursor.execute("DELETE FROM engine.facet WHERE document_no = ANY (%s)", (replaced,))
            cursor.execute("DELETE FROM engine.passage WHERE document_no = ANY (%s)", (replaced,))
        cursor.executemany(_UPDATE, [_row(write) for write in writes])
        postings = [
            (write.no, write.place_no, write.document.turn_length, write.document.window_length, *posting)
            for write in writes
            if write.document is not None
            for posting in write.document.postings
        ]
        if postings:
            cursor.execute(_POSTINGS, [list(column) for column in zip(*postings, strict=True)])
        cursor.executemany(_FACET, list(_facets(writes)))
        cursor.executemany(_PASSAGE, list(_passages(writes)))
        cursor.executemany(_COUNT, [(place, *sums) for place, sums in sorted(_sums(writes).items())])


def _facets(writes: Sequence[Write]) -> Iterator[tuple[Any, ...]]:
    for write in writes:
        if write.document is not None:
            for field, tokens in write.document.facets.items():
                yield write.no, write.place_no, field, tokens


def _passages(writes: Sequence[Write]) -> Iterator[tuple[Any, ...]]:
    for write in writes:
        if write.document is not None:
            for vector in write.document.passages:
                yield write.no, write.place_no, vector


def _row(write: Write) -> dict[str, Any]:
    row = {"no": write.no, "version": write.change.version}
    if write.document is None:
        return {**_REMOVED, **row}
    lengths = {"turn_length": write.document.turn_length, "window_length": write.document.window_length}
    return {**row, **write.document.columns, **lengths, "place_no": write.place_no}


def _sums(writes: Sequence[Write]) -> dict[int, list[int]]:
    """Return what each place gains or loses: documents, turn length, window length."""
    sums: dict[int, list[int]] = {}
    for write in writes:
        if write.replaced is not None:
            _add(sums, write.replaced[0], -1, -write.replaced[1], -write.replaced[2])
        if write.document is not None and write.place_no is not None:
            _add(sums, write.place_no, 1, write.document.turn_length, write.document.window_length)
    return sums


def _add(sums: dict[int, list[int]], place_no: int, *amounts: int) -> None:
    held = sums.setdefault(place_no, [0, 0, 0])
    for index, amount in enumerate(amounts):
        held[index] += amount
