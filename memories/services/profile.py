"""Profile: the lasting facts of one user, by part of life.

Which facts those are is kept until anything of the user changes: the latest version of what the scope can see is a
part of the key, as for kept answers. The facts themselves are read again each time, so that nothing outlives its end.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from backends.search import names
from memories.models import Memory, Source, Turn
from memories.models.memory import MemoryQuerySet
from memories.models.source import SourceRelation
from memories.profile import GROUPS, group_of
from memories.services.kept_answers import latest_version
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

FACTS_MAX = 500
"""The most important ones are looked at."""
GROUP_MAX = 20
PROFILES_MAX = 1_024
"""Of a process, some hundred ids each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """facts: by group, in the order of memories.profile.GROUPS, the most important first.

    sources: of each fact the ids of the turns and memories that it rests on; none for who may not read provenance.
    """

    subject: Subject
    facts: Mapping[str, Sequence[Memory]]
    sources: Mapping[UUID, Sequence[UUID]]


def profile(scope: Scope, subject_id: UUID, *, now: datetime) -> Profile:
    """Return the profile of a user from what is active and true now, and note that it was read.

    Raises ScopeDenied, when the key may not read facts; Subject.DoesNotExist.
    """
    scope.require(Ability.MEMORIES_READ)
    scope.require_kind(names.SEMANTIC)
    with open_scope(scope):
        subject = Subject.objects.get(id=subject_id)
        narrowed = scope.narrowed_to(subject.id)
        with open_scope(narrowed):
            groups = _groups(narrowed, subject.id, now=now)
            ids = [memory_id for held in groups.values() for memory_id in held]
            begun = _lasting(subject.id, now=now).filter(valid_from__lte=now)
            rows = begun.select_related("subject", "entity").in_bulk(ids)
            sources = _sources(narrowed, ids) if Ability.PROVENANCE_READ in scope.abilities else {}
            note_event(narrowed, "profile.read", object_ids=list(rows), subject=subject, now=now)
    facts = {group: [rows[one] for one in held if one in rows] for group, held in groups.items()}
    return Profile(subject=subject, facts={group: held for group, held in facts.items() if held}, sources=sources)


def _groups(scope: Scope, subject_id: UUID, *, now: datetime) -> Mapping[str, Sequence[UUID]]:
    """Return the ids of the facts by group, as they are kept or looked up."""
    hides_category = "category" in scope.hidden_fields
    key = (
        scope.tenant_id,
        subject_id,
        frozenset(scope.compartments),
        hides_category,
        latest_version(scope),
    )
    with _lock:
        kept = _kept().get(key)
    if kept is not None:
        return kept
    rows = _lasting(subject_id, now=now).order_by("-importance", "-frequency", "-valid_from", "-id")
    found: dict[str, list[UUID]] = {group: [] for group in GROUPS}
    for memory_id, category, predicate in rows.values_list("id", "category", "predicate")[:FACTS_MAX]:
        group = group_of("" if hides_category else category, predicate)
        if group is not None and len(found[group]) < GROUP_MAX:
            found[group].append(memory_id)
    with _lock:
        _kept()[key] = found
    return found


def _lasting(subject_id: UUID, *, now: datetime) -> MemoryQuerySet:
    """Return a user's own facts that are believed and have no end."""
    believed = Memory.objects.recallable(judged_at=now, valid_at=None, as_of=None, superseded=False)
    return believed.filter(
        subject_id=subject_id,
        memory_type=names.SEMANTIC,
        valid_to__isnull=True,
    )


def _sources(scope: Scope, memory_ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """Return what facts still rest on, as far as the scope sees it."""
    edges = Source.objects.filter(memory_id__in=memory_ids, voided_at__isnull=True)
    named = list(
        edges.exclude(relation=SourceRelation.SUPERSEDES)
        .order_by("id")
        .values_list("memory_id", "turn_id", "parent_id")
    )
    ids = {source for _, *sources in named for source in sources if source is not None}
    seen = set(Turn.objects.filter(id__in=ids).values_list("id", flat=True))
    seen |= set(Memory.objects.filter(id__in=ids, memory_type__in=scope.kinds).values_list("id", flat=True))
    found: dict[UUID, list[UUID]] = {}
    for memory_id, turn_id, parent_id in named:
        source = turn_id or parent_id
        if source in seen and source not in found.setdefault(memory_id, []):
            found[memory_id].append(source)
    return found


_lock = Lock()


@cache
def _kept() -> "LRUCache[Hashable, Mapping[str, Sequence[UUID]]]":
    return LRUCache(PROFILES_MAX)
