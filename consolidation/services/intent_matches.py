"""Intent matches: which of a user's own facts somebody means."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from backends.search import names
from consolidation.rules.candidate import Stance
from consolidation.rules.clauses import is_chinese
from consolidation.rules.extract import extract
from consolidation.rules.intents.matching import NEAR, share
from consolidation.rules.judge import judge
from consolidation.rules.judgement import Ruling
from consolidation.services.held import held_among
from memories.models import Memory
from memories.models.memory import Status

LOOKED_AT = 2_000
OFFERED_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """exact: all that is named so. near: what resembles it, to be asked about."""

    exact: Sequence[Memory] = ()
    near: Sequence[Memory] = ()


def own_facts(subject_id: UUID) -> "list[Memory]":
    """Return a user's own facts that are believed, newest first; what all share is nobody's to change in words."""
    rows = Memory.objects.filter(subject_id=subject_id, memory_type=names.SEMANTIC, status=Status.ACTIVE)
    return list(rows.select_related("subject", "entity", "turn", "session").order_by("-id")[:LOOKED_AT])


def matches_of(subject_id: UUID, about: str, *, now: datetime) -> Matches:
    """Return the facts that are meant. The scope is open.

    1. A statement ("I like blue") is looked for by what it says. 2. A name ("my address") by its words; all of them
    must be there, or what is found is only offered.
    """
    stated = _stated(subject_id, about, now=now)
    if stated:
        return Matches(exact=stated)
    scored = [
        (share(about, text=row.text, predicate=row.predicate, slot=row.slot), row) for row in own_facts(subject_id)
    ]
    exact = [row for part, row in scored if part == 1]
    near = [row for part, row in sorted(scored, key=lambda one: -one[0]) if NEAR <= part < 1]
    return Matches(exact=exact, near=[] if exact else near[:OFFERED_MAX])


def _stated(subject_id: UUID, about: str, *, now: datetime) -> list[Memory]:
    """Return the facts that a statement is, word for word or in other words."""
    order = f"忘掉{about}" if is_chinese(about) else f"Forget that {about}"
    extracted = extract(order, said_at=now)
    if extracted.suspect:
        return []
    rows = Memory.objects.filter(subject_id=subject_id)
    found: dict[UUID, None] = {}
    for candidate in extracted.candidates:
        if candidate.stance is Stance.FORGET:
            judged = judge(candidate, held_among(rows, candidate, who=""), said_at=now)
            if judged.ruling is Ruling.FORGET and judged.met is not None:
                found[judged.met.id] = None
    return list(Memory.objects.filter(id__in=found).select_related("subject", "entity", "turn", "session"))
