"""Note stated: entities and relations that a model found in an episode, beside those that follow from facts."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.db import transaction
from django.db.models import Q

from consolidation.models import Decision, Run
from consolidation.models.decision import Verdict
from consolidation.rules.candidate import Candidate
from consolidation.rules.ground_world import ToldEntity, ToldRelation
from consolidation.rules.names import known_as
from consolidation.rules.reading import Reading
from consolidation.rules.things import THING, Thing, plain_name, thing_of
from consolidation.services.select import Episode
from consolidation.services.unite import unite
from consolidation.services.world import entity_of, person_of
from consolidation.services.write import Written
from memories.models import Entity, Relation
from memories.services.entities import EntityExists
from memories.services.references import UnknownReference
from memories.services.relations import add_relation
from tenants.scope import Scope

log = logging.getLogger(__name__)

BY_MODEL = "model"
"""Why entities are one: a model was told so in words."""
Noted = TypeVar("Noted")


class StrangersRelation(Exception):
    """It relates somebody who is nothing to the user."""


_REFUSALS = (StrangersRelation, EntityExists, UnknownReference, Entity.DoesNotExist, Relation.DoesNotExist)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What became of something. relation: the one that was written or gained weight; told: the words that tell it."""

    written: Written
    relation: Relation | None = None
    told: ToldRelation | None = None


def note_stated(
    scope: Scope, run: Run, episode: Episode, reading: Reading, candidates: Sequence[Candidate], *, now: datetime
) -> list[Stated]:
    """Write what a model found of entities and relations, and return what became of it. The run's scope is open.

    candidates: the facts of the episode: what they name has its relation already, and an entity is kept where one of
    them, or a relation, speaks of it. What the record refuses is left out.
    """
    kinds = {name: told for told in reading.entities for name in (told.name, *told.aliases)}
    spoken = "\n".join([*(one.text for one in candidates), *(one.object for one in reading.relations)]).casefold()
    found: list[Stated] = []
    for entity in reading.entities:
        names = _names(entity)
        is_spoken_of = any(name.casefold() in spoken for name in names) or _named(run, names) is not None
        if is_spoken_of and _done(run, partial(_united, scope, run, entity, now=now)):
            found.append(Stated(written=Written(verdict=Verdict.MERGED, why=BY_MODEL)))
    related = {
        plain_name(name) for one in candidates if (thing := thing_of(one)) for name in (thing.name, *thing.aliases)
    }
    for told in reading.relations:
        if told.subject or plain_name(told.object) not in related:
            relation = _done(run, partial(_related, scope, run, episode, told, kinds, now=now))
            if relation is not None:
                written = Written(verdict=Verdict.RELATED, why="told")
                found.append(Stated(written=written, relation=relation, told=told))
    return found


def _done(run: Run, note: Callable[[], Noted | None]) -> Noted | None:
    try:
        with transaction.atomic():
            return note()
    except _REFUSALS as error:
        log.info("consolidation %s: no entity or relation of what was told: %s", run.id, type(error).__name__)
        return None


def _names(told: ToldEntity) -> tuple[str, ...]:
    return (told.name, *told.aliases)


def _united(scope: Scope, run: Run, told: ToldEntity, *, now: datetime) -> bool:
    """Write an entity, or its new names, and say whether two were found to be one by them."""
    thing = _thing(run, told.name, told)
    united = unite(scope, run, thing, why=BY_MODEL, now=now)
    entity_of(scope, run, thing, now=now)
    return united


def _thing(run: Run, name: str, told: ToldEntity | None) -> Thing:
    """Return what a name stands for: by the table of names, by the record, or as the model has it."""
    known = known_as(name)
    names = [*(_names(told) if told is not None else ()), name, *(known.aliases if known is not None else ())]
    held = _named(run, [*names, *([known.name] if known is not None else [])])
    kind = told.entity_type if told is not None else THING
    if known is not None:
        kind, name = known.entity_type, known.name
    if held is not None:
        kind, name = held.entity_type, held.name
    aliases = tuple(one for one in dict.fromkeys(names) if one != name)
    return Thing(name=name, entity_type=kind, predicate="", aliases=aliases)


def _named(run: Run, names: Sequence[str]) -> Entity | None:
    """Return the user's oldest open entity that goes by one of some names."""
    rows = Entity.objects.filter(subject_id=run.subject_id, compartments=run.compartments, closed_at__isnull=True)
    return rows.filter(Q(name__in=names) | Q(aliases__overlap=list(names))).order_by("id").first()


def _related(
    scope: Scope, run: Run, episode: Episode, told: ToldRelation, kinds: Mapping[str, ToldEntity], *, now: datetime
) -> Relation | None:
    """Write a relation, or add to its weight; None for what this turn has told before. Raises StrangersRelation."""
    person = person_of(scope, run, episode, now=now)
    subject = person
    if told.subject:
        known = _named(run, [told.subject])
        if not told.owned and (known is None or not _is_near(person, known)):
            raise StrangersRelation
        subject = entity_of(scope, run, _thing(run, told.subject, kinds.get(told.subject)), now=now)
    other = entity_of(scope, run, _thing(run, told.object, kinds.get(told.object)), now=now)
    before = Decision.objects.filter(turn_id=episode.turn_id, verdict=Verdict.RELATED)
    same = Relation.objects.filter(subject_entity_id=subject.id, predicate=told.predicate, object_entity_id=other.id)
    if subject.id == other.id or before.filter(relation_id__in=same.values("id")).exists():
        return None
    relation, _ = add_relation(
        scope,
        user_id=None,
        subject_entity_id=subject.id,
        predicate=told.predicate,
        object_entity_id=other.id,
        compartments=run.compartments,
        valid_from=episode.occurred_at,
        now=now,
    )
    return relation


def _is_near(person: Entity, other: Entity) -> bool:
    """Say whether the record relates somebody or something to the user."""
    ends = Q(subject_entity_id=person.id, object_entity_id=other.id)
    ends |= Q(subject_entity_id=other.id, object_entity_id=person.id)
    return Relation.objects.filter(ends, closed_at__isnull=True).exists()
