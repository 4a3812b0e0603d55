"""World: the entities that facts speak of, each once by whatever name, and how the person stands to them."""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from consolidation.models import Run
from consolidation.models.decision import Verdict
from consolidation.rules.candidate import Candidate, Stance
from consolidation.rules.things import PERSON, Thing, plain_name, thing_of
from consolidation.services.merge import ALIAS_TABLE
from consolidation.services.select import Episode
from consolidation.services.unite import ANY_COMPANY, unite
from consolidation.services.write import Written
from memories.models import Entity, Relation
from memories.models.entity import NAME_MAX_LENGTH
from memories.services.end_relation import end_relation
from memories.services.entities import EntityExists, add_entity, change_entity
from memories.services.references import UnknownReference
from memories.services.relations import add_relation
from tenants.scope import Scope

log = logging.getLogger(__name__)

ONESELF, ONESELF_TOO = "user", "用户"
ENTITIES_MAX = 1_000
_REFUSALS = (EntityExists, UnknownReference, Entity.DoesNotExist, Relation.DoesNotExist)
_ENDING = {Verdict.SUPERSEDED, Verdict.DENIED, Verdict.FORGOTTEN}
_BELIEVED = {Verdict.ADDED, Verdict.REPEATED, Verdict.REFINED, Verdict.SUPERSEDED}


def note_world(
    scope: Scope, run: Run, episode: Episode, candidate: Candidate, written: Written, *, now: datetime
) -> bool:
    """Bring entities and relations in line with what was made of a candidate. The run's scope is open.

    Returns whether entities were found to be one. A relation that is told again gains weight; one whose fact gave way
    ends when that one's truth did. What the record refuses leaves the fact as it is.
    """
    try:
        with transaction.atomic():
            return _note(scope, run, episode, candidate, written, now=now)
    except _REFUSALS as error:
        log.warning("consolidation %s: no entity or relation of a fact: %s", run.id, type(error).__name__)
        return False


def merged_for(written: Written) -> Written:
    """Return the decision that entities are one, which were named by a memory that was written."""
    return Written(verdict=Verdict.MERGED, why=ALIAS_TABLE, memory_id=written.memory_id)


def _note(scope: Scope, run: Run, episode: Episode, candidate: Candidate, written: Written, *, now: datetime) -> bool:
    if written.verdict not in _BELIEVED | _ENDING:
        return False
    at = candidate.valid_from or episode.occurred_at
    if written.ended_key and written.verdict in _ENDING:
        _end(scope, run, written.ended_key, at=at, now=now)
    thing = thing_of(candidate)
    if thing is None or written.verdict not in _BELIEVED or candidate.stance is Stance.ENDED:
        return False
    person = person_of(scope, run, episode, now=now)
    merged = unite(scope, run, thing, now=now)
    found = entity_of(scope, run, thing, now=now, said=candidate.value)
    add_relation(
        scope,
        user_id=None,
        subject_entity_id=person.id,
        predicate=thing.predicate,
        object_entity_id=found.id,
        compartments=run.compartments,
        valid_from=at,
        now=now,
    )
    return merged


def person_of(scope: Scope, run: Run, episode: Episode, *, now: datetime) -> Entity:
    """Return who spoke in an episode, as an entity."""
    aliases = () if episode.who else (ONESELF_TOO,)
    oneself = Thing(name=episode.who or ONESELF, entity_type=PERSON, predicate="", aliases=aliases)
    return entity_of(scope, run, oneself, now=now)


def entity_of(scope: Scope, run: Run, thing: Thing, *, now: datetime, said: str = "") -> Entity:
    """Return the entity that goes by one of a thing's names, made if there is none; a new name becomes an alias."""
    names = list(dict.fromkeys(name for name in (thing.name, *thing.aliases, said) if name))
    known = _find(run, thing, names)
    if known is None:
        try:
            return add_entity(
                scope,
                user_id=None,
                entity_type=thing.entity_type,
                name=thing.name[:NAME_MAX_LENGTH],
                aliases=[name for name in names if name != thing.name],
                compartments=run.compartments,
                now=now,
            )
        except EntityExists:
            return Entity.objects.get(
                _own(run), entity_type=thing.entity_type, name=thing.name, closed_at__isnull=True
            )
    held = {known.name.casefold(), *(alias.casefold() for alias in known.aliases)}
    new = [name for name in names if name.casefold() not in held]
    if new and known.subject_id is not None:
        return change_entity(scope, known.id, {"aliases": [*known.aliases, *new]}, now=now)
    return known


def _find(run: Run, thing: Thing, names: Sequence[str]) -> Entity | None:
    """Return an open entity of the type with one of the names; the alias table first, then likeness of names."""
    types = [thing.entity_type, *(ANY_COMPANY if thing.aliases else ())]
    rows = Entity.objects.filter(_own(run), entity_type__in=types, closed_at__isnull=True)
    exact = rows.filter(Q(name__in=names) | Q(aliases__overlap=list(names))).order_by("id").first()
    if exact is not None:
        return exact
    plain = {plain_name(name) for name in names}
    for entity in rows.order_by("id")[:ENTITIES_MAX]:
        if plain & {plain_name(name) for name in (entity.name, *entity.aliases)}:
            return entity
    return None


def _end(scope: Scope, run: Run, key: str, *, at: datetime, now: datetime) -> None:
    """End the person's relations to whatever goes by a key, as the fact that told of them gave way."""
    open_ones = Relation.objects.filter(
        subject_id=run.subject_id,
        compartments=run.compartments,
        subject_entity__entity_type=PERSON,
        closed_at__isnull=True,
        valid_to__isnull=True,
    ).exclude(predicate="rejects")
    for relation in open_ones.select_related("object_entity"):
        if key in _keys(relation.object_entity):
            end_relation(scope, relation.id, at=at, now=now)


def _keys(entity: Entity) -> set[str]:
    return {plain_name(entity.name), entity.name.casefold(), *(plain_name(alias) for alias in entity.aliases)}


def _own(run: Run) -> Q:
    return Q(subject_id=run.subject_id, compartments=run.compartments)
