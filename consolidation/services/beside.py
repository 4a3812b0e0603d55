"""Beside: what gives way with what a new memory took the place of, and what sayings that were closed still say."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from consolidation.rules.candidate import SAYS, Candidate
from consolidation.rules.judgement import Judgement, Ruling
from consolidation.services.keep_rest import keep_rest
from memories.models import Memory
from memories.services.supersede_too import supersede_too
from tenants.scope import Scope

REPLACING = frozenset({Ruling.REFINE, Ruling.SUPERSEDE, Ruling.DENY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """What a saying that was closed still says, as a memory of its own."""

    memory_id: UUID
    of_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """closed: what gave way beside what was met. rests: of all that gave way."""

    closed: tuple[UUID, ...] = ()
    rests: tuple[Rest, ...] = ()


def beside(scope: Scope, memory: Memory, candidate: Candidate, judged: Judgement, *, now: datetime) -> Beside:
    """Close what gives way beside what a memory took the place of, and keep what sayings still say.

    The scope is open.
    """
    if judged.ruling not in REPLACING:
        return Beside()
    for one in judged.also:
        supersede_too(scope, memory, one.id, now=now)
    closed = tuple(one.id for one in judged.also)
    return Beside(closed=closed, rests=tuple(_rests(scope, candidate, judged, now=now)))


def _rests(scope: Scope, candidate: Candidate, judged: Judgement, *, now: datetime) -> Iterator[Rest]:
    for one in (*([judged.met] if judged.met is not None else []), *judged.also):
        rest = keep_rest(scope, one, candidate.around or candidate.value, now=now) if one.predicate == SAYS else None
        if rest is not None:
            yield Rest(memory_id=rest.id, of_id=one.id)
