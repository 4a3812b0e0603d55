"""Same entities: those of a run's user that may be one by their names; united where it is the same, else asked about.

The table of aliases comes first, as facts are written; what it does not know is looked at here, once a run, where it
is new since the run before. What somebody has parted, or has said is two, stays two.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Q

from consolidation.models import Receipt, ReviewItem, Run
from consolidation.models.receipt import ReceiptKind
from consolidation.models.review_item import ReviewKind
from consolidation.rules.name_likeness import NAMES_NEAR, likely_same, may_be_one, same_name
from consolidation.rules.things import PERSON
from consolidation.services.merge import SAME_NAME, NotMergeable, merge
from consolidation.services.near import Nearness
from consolidation.services.runs import scope_of
from consolidation.services.unite import ANY_COMPANY
from memories.models import Entity
from memories.services.references import UnknownReference
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

THING = "thing"
ENTITIES_MAX = 1_000
"""Of a user, the newest; each new one is compared with them."""
NEW_MAX = 50
EMBEDDED_MAX = 20
"""Names of one type whose vectors are compared, at ten milliseconds each."""
ASKED_MAX = 20
"""Reviews of one run; who brings more likely pairs has brought a list."""
_REFUSALS = (NotMergeable, UnknownReference, Entity.DoesNotExist)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two entities of one type, the older first. same: by name; a name among the aliases only makes it likely."""

    one: UUID
    other: UUID
    same: bool


def same_entities(run: Run, nearness: Nearness, *, now: datetime) -> None:
    """Unite the entities that have the same name, and ask about those that are likely to be one. No scope is open."""
    with open_scope(scope_of(run)):
        since = _since(run)
        own = Entity.objects.filter(subject_id=run.subject_id, compartments=run.compartments, closed_at__isnull=True)
        known = list(own.order_by("-id")[:ENTITIES_MAX])
    new = [entity for entity in known if since is None or entity.recorded_at >= since][:NEW_MAX]
    pairs = {(pair.one, pair.other): pair for pair in (*_near(new, nearness), *_by_words(new, known))}
    if not pairs:
        return
    with open_scope(scope_of(run)):
        settled = _settled(pairs)
        for pair in [pair for ids, pair in sorted(pairs.items()) if not settled & set(ids)][:ASKED_MAX]:
            _settle(scope_of(run), run, pair, now=now)


def _since(run: Run) -> datetime | None:
    """Return when the run before began; None where there was none."""
    before = Run.objects.filter(
        subject_id=run.subject_id, compartments=run.compartments, started_at__lt=run.started_at
    )
    return before.order_by("-started_at").values_list("started_at", flat=True).first()


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


def _settle(scope: Scope, run: Run, pair: Pair, *, now: datetime) -> None:
    if ReviewItem.objects.filter(kind=ReviewKind.MERGE, entity_id=pair.one, other_entity_id=pair.other).exists():
        return
    if Entity.objects.filter(Q(id=pair.one) | Q(id=pair.other), closed_at__isnull=True).count() != len(
        ("one", "other")
    ):
        return  # merged with a third a moment ago
    if pair.same:
        try:
            with transaction.atomic():
                merge(scope, pair.one, pair.other, why=SAME_NAME, now=now)
        except _REFUSALS as error:
            log.info("consolidation %s: two entities stay two: %s", run.id, type(error).__name__)
        return
    item = ReviewItem.objects.create(
        tenant_id=run.tenant_id,
        subject_id=run.subject_id,
        compartments=run.compartments,
        run=run,
        kind=ReviewKind.MERGE,
        entity_id=pair.one,
        other_entity_id=pair.other,
        opened_at=now,
    )
    ids = [item.id, pair.one, pair.other]
    note_event(scope, "review.opened", object_ids=ids, data={"kind": str(ReviewKind.MERGE)}, now=now)
