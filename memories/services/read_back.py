"""The record's own look at what an engine proposes: what is gone, foreign or filtered out never leaves."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memories.models import Memory
from memories.services.question import Question
from memories.services.restricted import restricted
from memories.services.searched import SEARCHED, Key
from tenants.scope import Scope


def read_back(
    scope: Scope,
    keys: Sequence[Key],
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> dict[Key, Any]:
    """Return the first top_k of the ranked rows that the record confirms. The scope is open.

    Rows are read in slices down the ranking, so that a stale engine costs a second slice and not an answer. Of a row
    and its own restored copy only the better placed one is kept.
    """
    found: dict[Key, Any] = {}
    lineages: set[UUID] = set()
    allowed = {rows.model: rows for rows in restricted(scope, question, kinds, now=now)}
    for start in range(0, len(keys), question.top_k):
        part = keys[start : start + question.top_k]
        confirmed = _confirmed(allowed, part)
        for key in part:
            lineage = getattr(confirmed.get(key), "restores_id", None) or key[1]
            if key in confirmed and lineage not in lineages and len(found) < question.top_k:
                found[key] = confirmed[key]
                lineages.add(lineage)
        if len(found) >= question.top_k:
            break
    return found


def _confirmed(allowed: "dict[type[Any], QuerySet[Any]]", keys: Sequence[Key]) -> dict[Key, Any]:
    ids: dict[type[Any], list[UUID]] = {}
    for kind, object_id in keys:
        ids.setdefault(SEARCHED[kind].rows, []).append(object_id)
    confirmed: dict[Key, Any] = {}
    for table, wanted in ids.items():
        if table in allowed:
            confirmed.update({(row.kind, row.id): row for row in allowed[table].filter(id__in=wanted)})
    return confirmed


def empty_reason(
    scope: Scope,
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> str:
    """Return why nothing was found although everything answered. The scope is open.

    nothing_stored, filtered (by what the question names), expired_or_superseded, or below_threshold: nothing that is
    stored came near.
    """
    if any(rows.exists() for rows in restricted(scope, question, kinds, now=now)):
        return "below_threshold"
    if question.filters or question.memory_types or question.valid_at or question.as_of:
        return "filtered" if Memory.objects.exists() else "nothing_stored"
    return "expired_or_superseded" if Memory.objects.exists() else "nothing_stored"
