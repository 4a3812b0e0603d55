"""Look up what events are about: read now, under row-level security, so what is erased or hidden has no text."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models.functions import Left

from memories.models import Memory, Source, Turn
from tenants.scope import Scope

TEXT_MAX_LENGTH = 280
"""Code points of a text that are shown; the whole is in the admin."""

_TURN = ("id", "role", "speaker", "position", "start", "subject__external_id", "session__external_id")
_MEMORY = (
    "id", "memory_type", "status", "author", "slot", "turn_id", "superseded_by_id", "start",
    "subject__external_id", "session__external_id",
)  # fmt: skip
_UNNAMED = {"id", "start", "subject__external_id", "session__external_id"}

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Rows by id, as the scope may see them, and the ids of rows that exist but are hidden from it."""

    rows: dict[UUID, Row]
    hidden: frozenset[UUID]


def look_up(scope: Scope, ids: Collection[UUID]) -> Found:
    """Return the turns and memories among the ids. The scope is open.

    A memory names the turn it was made of, or the first that is its source, unless that one is hidden.
    """
    turns = _read(scope, Turn.objects.annotate(start=Left("content", TEXT_MAX_LENGTH + 1)), ids, _TURN)
    memories = _read(scope, Memory.objects.annotate(start=Left("text", TEXT_MAX_LENGTH + 1)), ids, _MEMORY)
    _add_source_turns(scope, memories)
    named = {row[name] for row in memories for name in ("turn_id", "superseded_by_id")} - {None}
    hidden = _kept_back({*ids, *named})
    rows = {row["id"]: {"type": "turn", **_named(scope, row)} for row in turns}
    rows |= {row["id"]: {"type": "memory", **_named(scope, row, hidden)} for row in memories}
    return Found(rows=rows, hidden=hidden)


def _read(scope: Scope, rows: Any, ids: Collection[UUID], fields: tuple[str, ...]) -> list[Row]:
    return list(rows.filter(tenant_id=scope.tenant_id, id__in=ids).values(*fields))


def _add_source_turns(scope: Scope, memories: Collection[Row]) -> None:
    wanted = [row["id"] for row in memories if row["turn_id"] is None]
    if not wanted:
        return
    sources = Source.objects.filter(tenant_id=scope.tenant_id, memory_id__in=wanted, turn__isnull=False)
    first: dict[UUID, UUID] = {}
    for memory_id, turn_id in sources.order_by("recorded_at", "id").values_list("memory_id", "turn_id"):
        first.setdefault(memory_id, turn_id)
    for row in memories:
        row["turn_id"] = row["turn_id"] or first.get(row["id"])


def _kept_back(ids: Collection[UUID]) -> frozenset[UUID]:
    """Return the ids of rows that exist, but not for the scope: they are not told either."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memories_kept_back(%s)", [list(ids)])
        return frozenset(row[0] for row in cursor.fetchall())


def _named(scope: Scope, row: Row, hidden: Collection[UUID] = ()) -> Row:
    """Return a row as it is shown: named as in the API, its text shortened, without the scope's hidden fields."""
    shown = {name: value for name, value in row.items() if name not in _UNNAMED}
    for name in ("turn_id", "superseded_by_id"):
        if name in shown:
            value = shown.pop(name)
            shown[name.replace("_by_id", "_by")] = str(value) if value and value not in hidden else None
    shown["text"] = row["start"][:TEXT_MAX_LENGTH]
    shown["shortened"] = len(row["start"]) > TEXT_MAX_LENGTH
    shown["user_id"] = row["subject__external_id"]
    shown["session_id"] = row["session__external_id"]
    return {name: value for name, value in shown.items() if name not in scope.hidden_fields}
