"""The graph leg: from the entities that a question names, through their relations, to memories about them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from backends.search import names
from memories.models import Memory, Relation
from memories.questions import named_in
from memories.services.question import Question
from memories.services.restricted import restricted
from tenants.scope import Scope

NAMED_MAX = 10
"""Entities that one question can name; more are a list, and no way to what is meant."""
RELATIONS_MAX = 50
MEMORIES_MAX = 40
NEIGHBOUR = 0.5
"""How much nearer an entity is that the question names than one beside it."""


def graph_leg(
    scope: Scope,
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> dict[UUID, float]:
    """Return how near rows are to the entities a question names, in (0, 1], by id. The scope is open.

    1. Entities named, by name or alias, as whole words. 2. Their relations, and the entities at the other ends.
    3. Memories about either, newest first. An entity that is a whole crowd's is no way to any of it: only the newest
    MEMORIES_MAX come in.
    """
    if names.ENTITY not in scope.kinds:
        return {}
    named = _named(question.query)
    if not named:
        return {}
    nearness = dict.fromkeys(named, 1.0)
    tables = {rows.model: rows for rows in restricted(scope, question, kinds, now=now)}
    near = dict.fromkeys(named, 1.0)
    if Relation in tables:
        touching = Q(subject_entity_id__in=named) | Q(object_entity_id__in=named)
        relations = tables[Relation].filter(touching).order_by("-weight", "id")[:RELATIONS_MAX]
        for relation_id, one, other in relations.values_list("id", "subject_entity_id", "object_entity_id"):
            nearness[relation_id] = 1.0
            for entity_id in (one, other):
                near.setdefault(entity_id, NEIGHBOUR)
    if Memory in tables:
        beside = [entity_id for entity_id in near if entity_id not in set(named)]
        for entities in (named, beside):  # a busy neighbour does not push out what is about the named
            about = tables[Memory].filter(entity_id__in=entities).order_by("-valid_from", "id")[:MEMORIES_MAX]
            found = about.values_list("id", "entity_id")
            nearness.update({memory_id: near[entity_id] for memory_id, entity_id in found})
    return nearness


def _named(query: str) -> list[UUID]:
    """Return the entities whose name or alias a question has."""
    folded = query.lower()
    with connection.cursor() as cursor:
        cursor.execute(_CANDIDATES, [folded, folded])
        rows: list[Any] = cursor.fetchall()
    found = [(object_id, {name, *aliases}) for object_id, name, aliases in rows]
    return [object_id for object_id, spellings in found if named_in(query, spellings)][:NAMED_MAX]


_CANDIDATES = """
    SELECT e.id, e.name, e.aliases FROM memories_entity e
    WHERE e.closed_at IS NULL AND (
        position(lower(e.name) IN %s) > 0
        OR EXISTS (SELECT FROM unnest(e.aliases) AS alias (said) WHERE position(lower(alias.said) IN %s) > 0))
    ORDER BY length(e.name) DESC, e.id LIMIT 100
"""
"""Row-level security has already hidden what the scope may not see."""
