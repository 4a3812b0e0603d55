"""Held: the active memories that a candidate can meet."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from backends.search import names
from consolidation.models import Run
from consolidation.rules.candidate import SAYS, Candidate, Stance
from consolidation.rules.judge import related
from consolidation.rules.judgement import Held, Nearby
from consolidation.rules.weight import RELIABILITY
from consolidation.services.near import Near, facts_of
from memories.models import Memory, Source
from memories.models.memory import Status
from memories.trust import Trust

CLAIM = "claim"
"""The key of a memory's metadata under which consolidation keeps what the memory says of what."""
HELD_MAX = 300
_SHORT = 2


def held_for(run: Run, candidate: Candidate, *, who: str, turn_id: UUID | None = None) -> list[Held]:
    """Return what the candidate can meet, newest first: its slot, its kind of statement, or its very words.

    who: the person it is about, where several speak; another person's facts are not met. turn_id: of the candidate;
    a saying does not meet what else its own turn says. The scope is open.
    """
    own = Memory.objects.filter(subject_id=run.subject_id, compartments=run.compartments)
    if candidate.predicate == SAYS and turn_id is not None:
        own = own.exclude(Exists(Source.objects.filter(memory_id=OuterRef("id"), turn_id=turn_id)))
    return held_among(own, candidate, who=who)


def nearby(run: Run, near: Sequence[Near], *, who: str) -> list[Nearby]:
    """Return those of the near facts that are believed still, as the judge sees them. The scope is open."""
    cosines = {one.id: one.cosine for one in near}
    found = list(facts_of(run).filter(id__in=cosines)) if cosines else []
    said = _said([row.id for row in found])
    return [
        Nearby(held=held_of(row, *said.get(row.id, (None, ())), who=who), cosine=cosines[row.id])
        for row in found
        if _who(row) in {who, None}
    ]


def held_among(rows: "QuerySet[Memory]", candidate: Candidate, *, who: str) -> list[Held]:
    """Return what the candidate can meet of some memories, as held_for does. The scope is open."""
    words = [word for word in (candidate.value, candidate.replaces) if len(word) >= _SHORT]
    near = Q(predicate__in=[*related(candidate.predicate), SAYS])
    if candidate.slot is not None:
        near |= Q(slot=slot_of(candidate.slot, who))
    for word in words:
        near |= Q(predicate="", text__icontains=word)
    if candidate.predicate == SAYS:
        near = Q()
    found = list(
        rows.filter(
            near,
            memory_type=names.SEMANTIC,
            status=Status.ACTIVE,
            valid_to__isnull=True,
        ).order_by("-valid_from", "-id")[:HELD_MAX]
    )
    said = _said([row.id for row in found])
    return [held_of(row, *said.get(row.id, (None, ())), who=who) for row in found if _who(row) in {who, None}]


def held_one(run: Run, memory_id: UUID, *, who: str) -> Held | None:
    """Return a fact as the judge sees it, if it is the run's user's and believed still. The scope is open."""
    rows = Memory.objects.filter(subject_id=run.subject_id, compartments=run.compartments)
    row = rows.filter(id=memory_id, memory_type=names.SEMANTIC, status=Status.ACTIVE, valid_to__isnull=True).first()
    if row is None or _who(row) not in {who, None}:
        return None
    return held_of(row, *_said([row.id]).get(row.id, (None, ())), who=who)


def slot_of(slot: str, who: str) -> str:
    """Return the slot as it is stored: of one of several speakers, behind the name."""
    return f"{who}: {slot}" if who else slot


def claim_of(candidate: Candidate, who: str) -> dict[str, str]:
    """Return what consolidation keeps of a candidate to tell later ones from it."""
    return {"key": candidate.key, "stance": candidate.stance.value, **({"who": who} if who else {})}


def _who(row: Memory) -> str | None:
    """Return whom a memory is about; None where a caller wrote it and did not say."""
    claim = row.metadata.get(CLAIM)
    return str(claim.get("who", "")) if isinstance(claim, dict) else None


def _said(memory_ids: list[UUID]) -> dict[UUID, tuple[datetime | None, tuple[str, ...]]]:
    """Return when each memory was last said in a turn, and by which sorts of sources."""
    edges = Source.objects.filter(memory_id__in=memory_ids, voided_at__isnull=True).exclude(relation="supersedes")
    last = dict(edges.values_list("memory_id").annotate(Max("turn__occurred_at")))
    kinds: dict[UUID, set[str]] = {}
    for memory_id, kind in edges.values_list("memory_id", "source_type"):
        kinds.setdefault(memory_id, set()).add(kind)
    return {memory_id: (last.get(memory_id), tuple(kinds.get(memory_id, ()))) for memory_id in memory_ids}


def held_of(row: Memory, said_at: datetime | None, sources: tuple[str, ...], *, who: str) -> Held:
    """Return a memory as the judge sees it; said_at: when it was last said; sources: by which sorts of sources."""
    claim = row.metadata.get(CLAIM)
    known = claim if isinstance(claim, dict) else {}
    slot = row.slot.removeprefix(f"{who}: ") if row.slot and who else row.slot
    return Held(
        id=row.id,
        text=row.text,
        predicate=row.predicate,
        slot=slot,
        key=str(known.get("key", "")),
        stance=_stance(known.get("stance")),
        valid_from=row.valid_from,
        said_at=max(said_at or row.valid_from, row.valid_from),
        confidence=row.confidence,
        frequency=row.frequency,
        source=_reliable(sources, row.trust),
        trust=Trust(row.trust),
    )


def _reliable(sources: tuple[str, ...], trust: str) -> str:
    """Return the most reliable source; or what the memory is trusted as, where that is less."""
    best = max(sources, key=lambda kind: RELIABILITY.get(kind, 0.0), default="api")
    return min((best, trust), key=lambda kind: RELIABILITY.get(kind, 1.0))


def _stance(value: object) -> Stance:
    return Stance(value) if isinstance(value, str) and value in set(Stance) else Stance.HOLDS
