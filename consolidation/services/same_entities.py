"""Same entities: those of a run's user that may be one by their names; united where it is the same, else asked about.

The table of aliases comes first, as facts are written; what it does not know is looked at here, once a run, where it
is new since the run before. What somebody has parted, or has said is two, stays two.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from uuid import UUID

import numpy as np
from django.db.models import Count, Q

from consolidation.models import Receipt, ReviewItem, Run
from consolidation.models.receipt import ReceiptKind
from consolidation.models.review_item import ReviewKind
from consolidation.rules.name_likeness import NAMES_NEAR, likely_same, may_be_one, same_name
from consolidation.rules.things import PERSON, THING
from consolidation.services.merge import SAME_NAME
from consolidation.services.near import Nearness
from consolidation.services.open_review import open_review
from consolidation.services.runs import scope_of
from consolidation.services.try_merge import try_merge
from consolidation.services.unite import ANY_COMPANY
from memories.models import Entity
from tenants.services.open_scope import open_scope

ENTITIES_MAX = 1_000
"""Of a user, the newest; each new one is compared with them."""
NEW_MAX = 50
"""Of a run, the newest; as many more for each run before that had reviews left to open."""
EMBEDDED_MAX = 20
"""Names of one type whose vectors are compared, at ten milliseconds each."""
ASKED_MAX = 20
"""Reviews that one run opens; the next run goes on with what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two entities of one type, the older first. same: by name; a name among the aliases only makes it likely."""

    one: UUID
    other: UUID
    same: bool


def same_entities(run: Run, nearness: Nearness, *, now: datetime) -> None:
    """Unite the entities that have the same name, and ask about those that are likely to be one. No scope is open."""
    with open_scope(scope_of(run)):
        since, full = _since(run)
        own = Entity.objects.filter(subject_id=run.subject_id, compartments=run.compartments, closed_at__isnull=True)
        known = list(own.order_by("-id")[:ENTITIES_MAX])
    new = [entity for entity in known if since is None or entity.recorded_at >= since][: NEW_MAX * (full + 1)]
    pairs = {(pair.one, pair.other): pair for pair in (*_near(new, nearness), *_by_words(new, known))}
    if not pairs:
        return
    with open_scope(scope_of(run)):
        settled, looked_at = _settled(pairs), _looked_at(pairs)
        left = ASKED_MAX
        for ids, pair in sorted(pairs.items()):
            if settled & set(ids) or ids in looked_at or not _are_open(pair):
                continue
            if pair.same:
                try_merge(scope_of(run), run, pair.one, pair.other, why=SAME_NAME, now=now)
            elif left:
                open_review(scope_of(run), run, ReviewKind.MERGE, entity_ids=(pair.one, pair.other), now=now)
                left -= 1


def _since(run: Run) -> tuple[datetime | None, int]:
    """Return since when what is new is looked at, and how many runs before had more pairs than they might ask about.

    That is when the newest run began that had not; None where there was none.
    """
    before = Run.objects.filter(
        subject_id=run.subject_id, compartments=run.compartments, started_at__lt=run.started_at
    )
    opened = ReviewItem.objects.filter(kind=ReviewKind.MERGE, run_id__in=before.values("id")).values("run_id")
    many = opened.annotate(opened=Count("id")).filter(opened__gte=ASKED_MAX)
    last = before.exclude(id__in=many.values("run_id")).order_by("-started_at").first()
    if last is None:
        return None, before.count()
    return last.started_at, before.filter(started_at__gt=last.started_at).count()


def _by_words(new: Sequence[Entity], known: Sequence[Entity]) -> Iterator[Pair]:
    for entity in new:
        for other in known:
            if entity.id == other.id or not _alike(entity.entity_type, other.entity_type):
                continue
            names, others = (entity.name, *entity.aliases), (other.name, *other.aliases)
            together = [(one, two) for one in names for two in others]
            if any(likely_same(one, two, entity_type=entity.entity_type) for one, two in together):
                same = _are_sure(entity.entity_type, other.entity_type) and same_name(entity.name, other.name)
                yield _pair(entity, other, same=same)


def _near(new: Sequence[Entity], nearness: Nearness) -> Iterator[Pair]:
    """Yield the new ones of a type whose names are nearly one by their vectors."""
    for kind in sorted({entity.entity_type for entity in new} - {PERSON}):
        named = [entity for entity in new if entity.entity_type == kind][:EMBEDDED_MAX]
        vectors = nearness.vectors([entity.name for entity in named]) if len(named) > 1 else None
        for (one, first), (two, second) in combinations(zip(named, vectors or (), strict=False), 2):
            if float(np.dot(first, second)) >= NAMES_NEAR and may_be_one(one.name, two.name):
                yield _pair(one, two, same=False)


def _pair(one: Entity, other: Entity, *, same: bool) -> Pair:
    older, newer = sorted((one.id, other.id))
    return Pair(one=older, other=newer, same=same)


def _alike(one: str, other: str) -> bool:
    return one == other or (one in ANY_COMPANY and other in ANY_COMPANY)


def _are_sure(one: str, other: str) -> bool:
    """Say whether one name is enough: not for people, nor for Apple the company and apple the thing."""
    return PERSON not in {one, other} and (one == other or THING not in {one, other})


def _settled(pairs: "dict[tuple[UUID, UUID], Pair]") -> set[UUID]:
    """Return the entities that somebody has parted from another: such a one is left alone."""
    ids = {pk for pair in pairs for pk in pair}
    parted = Receipt.objects.filter(kind=ReceiptKind.MERGE, undone_at__isnull=False, root_id__in=ids)
    return {one for one in parted.values_list("root_id", flat=True) if one is not None}


def _looked_at(pairs: "dict[tuple[UUID, UUID], Pair]") -> set[tuple[UUID, UUID]]:
    """Return those that somebody was asked about already."""
    rows = ReviewItem.objects.filter(kind=ReviewKind.MERGE, entity_id__in={one for one, _ in pairs})
    found = rows.values_list("entity_id", "other_entity_id")
    return {(one, other) for one, other in found if one is not None and other is not None}


def _are_open(pair: Pair) -> bool:
    """Say whether neither was merged with a third a moment ago."""
    return Entity.objects.filter(Q(id=pair.one) | Q(id=pair.other), closed_at__isnull=True).count() == 2
