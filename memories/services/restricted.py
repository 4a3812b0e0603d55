"""The record's own restriction of a question: what each table may answer with, judged exactly."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from backends.search import names
from memories.models import CatalogDocument, Entity, Memory, Relation
from memories.services.compartments import seen_by
from memories.services.filtering import condition
from memories.services.question import Question
from memories.services.searched import SEARCHED
from tenants.scope import Scope, ScopeDenied


def kinds_asked(scope: Scope, question: Question) -> tuple[str, ...]:
    """Return the kinds that a question looks at, in the scope's order.

    Raises ScopeDenied, when it names a kind that the scope may not read.
    """
    denied = sorted(set(question.memory_types or ()) - set(scope.kinds))
    if denied:
        raise ScopeDenied(f"memory_types: the key may not read {', '.join(denied)}")
    wanted = [kind for kind in scope.kinds if question.memory_types is None or kind in question.memory_types]
    if not question.include_catalog:
        wanted = [kind for kind in wanted if kind != names.CATALOG]
    return tuple(wanted)


def restricted(
    scope: Scope,
    question: Question,
    kinds: Sequence[str],
    *,
    now: datetime,
) -> list["QuerySet[Any]"]:
    """Return, for each table of the kinds, its rows that may be answered with. The scope is open."""
    tables = {SEARCHED[kind].rows for kind in kinds}
    choices: list[QuerySet[Any]] = []
    if Memory in tables:
        choices.append(_memories(question, kinds, now=now))
    if Entity in tables:
        choices.append(Entity.objects.filter(_believed(question)).select_related("subject"))
    if Relation in tables:
        true = Q()
        judged_at = question.judged_at(now)
        if question.valid_at is not None:
            true = Q(valid_from__lte=question.valid_at)
        if question.valid_at is not None or not question.include_superseded:
            true &= Q(valid_to__isnull=True) | Q(valid_to__gt=judged_at)
        choices.append(
            Relation.objects.filter(_believed(question), true).select_related(
                "subject_entity", "object_entity", "subject"
            )
        )
    if CatalogDocument in tables:
        recorded = Q() if question.as_of is None else Q(recorded_at__lte=question.as_of)
        choices.append(CatalogDocument.objects.filter(recorded).select_related("subject"))
    choices = [_filtered(rows.filter(seen_by(scope), tenant_id=scope.tenant_id), question) for rows in choices]
    if not question.include_shared:
        choices = [
            rows if rows.model is CatalogDocument else rows.filter(subject_id__isnull=False) for rows in choices
        ]
    return choices


def _memories(question: Question, kinds: Sequence[str], *, now: datetime) -> "QuerySet[Memory]":
    chosen = Memory.objects.recallable(
        judged_at=question.judged_at(now),
        valid_at=question.valid_at,
        as_of=question.as_of,
        superseded=question.include_superseded,
        archived=question.include_archived,
    ).filter(
        memory_type__in=[kind for kind in kinds if kind in names.MEMORY_KINDS],
    )
    return chosen.select_related("turn", "session", "subject", "entity")


def _filtered(rows: "QuerySet[Any]", question: Question) -> "QuerySet[Any]":
    return rows if question.filters is None else rows.filter(condition(rows.model, question.filters))


def _believed(question: Question) -> Q:
    if question.as_of is None:
        return Q(closed_at__isnull=True)
    return Q(recorded_at__lte=question.as_of) & (Q(closed_at__isnull=True) | Q(closed_at__gt=question.as_of))
