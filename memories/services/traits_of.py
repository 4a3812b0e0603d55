"""What the record says of the rows that the legs propose: whether they may be answered with, and what weighs them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from backends.search import names
from memories.models import Entity, Memory, Procedure, Relation
from memories.services.any_of import AnyOf
from memories.services.fetched import fetched
from memories.services.question import Question
from memories.services.restricted import restricted
from memories.services.searched import Key, ids_by_table, of_tables
from memories.weighing import AUTHORITY, Traits
from tenants.scope import Scope


def traits_of(
    scope: Scope,
    keys: Sequence[Key],
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> dict[UUID, Traits]:
    """Return the traits of the rows that the record confirms, by id. The scope is open.

    What is gone, foreign, filtered out, expired or superseded has none, however stale the engine.
    """
    ids = ids_by_table(keys)
    found: dict[UUID, Traits] = {}
    for rows in restricted(scope, question, of_tables(ids, kinds), now=now):
        chosen = rows.filter(AnyOf("id", ids[rows.model]))
        if rows.model is Memory:
            found.update(_of_memories(chosen))
        elif rows.model is Relation:
            found.update(
                {row[0]: Traits(kind=names.RELATION, since=row[1]) for row in chosen.values_list("id", "valid_from")}
            )
        else:
            kind = names.ENTITY if rows.model is Entity else names.CATALOG
            found.update({object_id: Traits(kind=kind) for object_id in chosen.values_list("id", flat=True)})
    return found


def _of_memories(rows: Any) -> Mapping[UUID, Traits]:
    columns = list(rows.values_list("id", "memory_type", "valid_from", "confidence", "importance", "trust"))
    ids = [row[0] for row in columns]
    recalls = dict(fetched(_RECALLS, [ids])) if ids else {}
    playbooks = [row[0] for row in columns if row[1] == names.PROCEDURAL]
    outcomes = _outcomes(playbooks) if playbooks else {}
    told = [row[0] for row in columns if row[1] != names.EPISODIC]  # an episode is what its user said
    sources = _sources(told) if told else {}
    return {
        object_id: Traits(
            kind=kind,
            since=since,
            confidence=confidence,
            importance=importance,
            recalls=recalls.get(object_id, 0),
            source_type=_less_believed(sources.get(object_id, "user"), trust),
            successes=outcomes.get(object_id, (0, 0))[0],
            failures=outcomes.get(object_id, (0, 0))[1],
        )
        for object_id, kind, since, confidence, importance, trust in columns
    }


def _less_believed(source_type: str, trust: str) -> str:
    """Return the one of the two that is believed less."""
    return min((source_type, trust), key=lambda source: AUTHORITY.get(source, 1.0))


def _outcomes(ids: Iterable[UUID]) -> dict[UUID, tuple[int, int]]:
    rows = Procedure.objects.filter(AnyOf("memory_id", ids)).values_list(
        "memory_id", "success_count", "failure_count"
    )
    return {memory_id: (successes, failures) for memory_id, successes, failures in rows}


def _sources(ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the type of each memory's first source that stands."""
    return dict(fetched(_FIRST_SOURCES, [list(ids)]))


# In SQL, not by Django: to put them together would cost more than to answer them.
_RECALLS = "SELECT memory_id, recalls FROM memories_memoryuse WHERE memory_id = ANY (%s)"
_FIRST_SOURCES = """
    SELECT DISTINCT ON (memory_id) memory_id, source_type FROM memories_source
    WHERE memory_id = ANY (%s) AND voided_at IS NULL ORDER BY memory_id, id
"""
