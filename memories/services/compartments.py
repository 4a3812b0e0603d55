"""Compartments of something new: what the writer holds, and never wider than what it rests on."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Entity, Memory, Turn
from memories.services.new_memory import NewMemory
from memories.services.references import UnknownReference
from tenants.scope import FieldDenied, Scope

FIELD = "compartments"


def own_compartments(scope: Scope, wanted: Sequence[str], *, field: str = FIELD) -> list[str]:
    """Return compartments in the form they are stored in: sorted, each once.

    Raises FieldDenied, when the scope does not hold one of them.
    """
    lacking = sorted({*wanted} - {*scope.compartments})
    if lacking:
        raise FieldDenied(field, f"the key does not hold {', '.join(lacking)}")
    return sorted({*wanted})


def inherited_compartments(
    scope: Scope, wanted: Sequence[str] | None, sources: Iterable[Sequence[str]], *, field: str = FIELD
) -> list[str]:
    """Return the compartments of what rests on sources: those wanted; where None, what the sources have in common.

    Whoever sees it sees every source too: it stands in some of each one's compartments and in no others.
    Raises FieldDenied, as own_compartments does; UnknownReference, when it would be wider than a source, or when the
    sources have no compartment in common that the scope holds.
    """
    limits = [{*source} for source in sources if source]
    common = set.intersection(*limits) if limits else set()
    if wanted is None:
        if limits and not common & {*scope.compartments}:
            raise UnknownReference(field, "what it rests on has no compartment of the key's in common")
        return sorted(common)
    chosen = own_compartments(scope, wanted, field=field)
    if limits and not (chosen and common.issuperset(chosen)):
        raise UnknownReference(field, "must be among those of all that it rests on; leave them out to take these")
    return chosen


def compartments_of_memory(scope: Scope, new: NewMemory, superseded: Memory | None) -> list[str]:
    """Return the compartments of a new memory; one that supersedes another stands where that one stood.

    What it names and is not there for the scope is left to whoever adds the sources. The scope is open.
    Raises FieldDenied or UnknownReference, as inherited_compartments does.
    """
    named = None if new.compartments is None else own_compartments(scope, new.compartments)
    if superseded is not None and named not in (None, superseded.compartments):
        raise UnknownReference(FIELD, "are those of the memory it supersedes; leave them out")
    sources = _kept_in(Turn.objects.filter(id__in=[span.turn_id for span in new.spans]))
    sources += _kept_in(Memory.objects.filter(id__in=new.parents))
    if new.entity_id is not None:
        sources += _kept_in(Entity.objects.filter(id=new.entity_id))
    if superseded is None:
        return inherited_compartments(scope, new.compartments, sources)
    kept = superseded.compartments
    if any(not kept or not {*source}.issuperset(kept) for source in sources):
        raise UnknownReference(FIELD, "the memory it supersedes stands wider than what this one rests on")
    return kept


def compartments_of_entities(scope: Scope, wanted: Sequence[str] | None, entity_ids: Iterable[UUID]) -> list[str]:
    """Return the compartments of a relation between entities. The scope is open."""
    return inherited_compartments(scope, wanted, _kept_in(Entity.objects.filter(id__in=[*entity_ids])))


def seen_by(scope: Scope) -> Q:
    """Return the condition for rows in no compartment, or in one that the scope holds."""
    return Q(compartments=[]) | Q(compartments__overlap=list(scope.compartments))


def _kept_in(rows: "QuerySet[Any]") -> list[Sequence[str]]:
    return list(rows.exclude(compartments=[]).values_list("compartments", flat=True))
