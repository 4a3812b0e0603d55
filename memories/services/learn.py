"""Learn: write a memory, or put it in the place of an older one; all or nothing."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from backends.search import names
from memories.instructions import instructs_reader
from memories.models import Memory, Procedure
from memories.models.memory import Status
from memories.services.add_sources import add_sources, within
from memories.services.compartments import compartments_of_memory
from memories.services.conflicts import SlotTaken, TextTaken, conflict_of
from memories.services.ensure_subject import ensure_subject
from memories.services.find_memory import find_memory, lock_open
from memories.services.idempotency import AnswerGone, Idempotency, remember, replayed_ids
from memories.services.insert_memory import CONFIDENCE_FLOOR, insert_memory, text_hash
from memories.services.lock_entities import lock_entities
from memories.services.moment import moment
from memories.services.new_memory import NewMemory
from memories.services.references import UnknownReference
from memories.services.trust_of import raise_trust, trust_of, trust_of_writer
from memories.services.wake import wake
from memories.trust import Trust
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope


class NotSure(Exception):
    """A memory below the confidence floor, or in quarantine, cannot supersede another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What learn answers. created: False where the same was known, trusted as `trusted` until then.

    playbook: of a procedural memory.
    """

    memory: Memory
    created: bool
    trusted: str = ""
    playbook: Procedure | None = None
    replayed: bool = False


def learn(scope: Scope, new: NewMemory, *, idempotency: Idempotency | None = None, now: datetime) -> Learned:
    """Write a memory.

    1. Take the idempotency key. 2. Find whose it is. 3. Close what it supersedes, insert it, add its sources.
    4. The same text twice is one memory, said once more.
    Raises ScopeDenied, when the key may not write memories; UnknownReference for an id that leads nowhere;
    MemoryNotOpen, when the one to supersede is closed already; SlotTaken, TextTaken, NotSure, KeyReused, AnswerGone.
    """
    scope.require(Ability.MEMORIES_WRITE)
    scope.require_kind(new.memory_type)
    with open_scope(scope):
        earlier = replayed_ids(scope, idempotency, now=now)
        if earlier is not None:
            return _replayed(scope, earlier)
        subject = ensure_subject(scope, new.user_id, now=now)
        narrowed = scope.narrowed_to(subject.id) if subject else scope
        with open_scope(narrowed):
            learned = _learned(narrowed, subject, new, writer=trust_of_writer(scope), now=now)
        remember(scope, idempotency, [learned.memory.id])
        transaction.on_commit(lambda: wake("memories.sync"))
    return learned


def _replayed(scope: Scope, earlier: list[UUID]) -> Learned:
    try:
        memory = find_memory(scope, earlier[0])
        return Learned(memory=memory, created=True, playbook=_playbook(memory), replayed=True)
    except (IndexError, Memory.DoesNotExist) as error:
        raise AnswerGone("Idempotency-Key: what it made was erased since; use a new one") from error


def _learned(scope: Scope, subject: Subject | None, new: NewMemory, *, writer: Trust, now: datetime) -> Learned:
    _check(subject, new, now=now)
    trust = trust_of(new, writer=writer)
    # What a user or an operator writes is theirs; what others wrote may tell the memory, or its reader, what to do.
    suspect = new.suspect or (trust.rank < Trust.USER.rank and instructs_reader(new.text))
    new = replace(new, trust=trust, suspect=suspect)
    old = _to_supersede(scope, subject, new)
    if old is not None:
        now = moment(now, old)
    new = replace(new, compartments=tuple(compartments_of_memory(scope, new, old)))
    _check_slot(subject, new, old, now=now)
    try:
        with transaction.atomic():
            memory = insert_memory(scope, subject, new, old, now=now)
            add_sources(memory, new, superseded=old, now=now)
    except IntegrityError as error:
        return _said_again(scope, subject, new, old, error, now=now)
    if old is not None:
        _note(scope, "memory.superseded", [memory.id, old.id], subject, new, now=now)
    else:
        _note(scope, _EVENTS[Status(memory.status)], [memory.id], subject, new, now=now)
    return Learned(memory=find_memory(scope, memory.id), created=True, playbook=_playbook(memory))


_EVENTS = {
    Status.ACTIVE: "memory.learned",
    Status.PENDING: "memory.pending",
    Status.QUARANTINED: "memory.quarantined",
}


def _playbook(memory: Memory) -> Procedure | None:
    if memory.memory_type != names.PROCEDURAL:
        return None
    return Procedure.objects.filter(memory_id=memory.id).first()


def _check(subject: Subject | None, new: NewMemory, *, now: datetime) -> None:
    """Refuse an entity that the memory may not be about, and a period that ends before it begins."""
    own = within(subject.id if subject else None)
    if new.entity_id is not None and new.entity_id not in lock_entities(own, [new.entity_id]):
        raise UnknownReference("entity_id")
    if new.valid_to is not None and new.valid_to < (new.valid_from or now):
        raise UnknownReference("valid_to", "must not lie before valid_from (left out: now)")


def _check_slot(subject: Subject | None, new: NewMemory, old: Memory | None, *, now: datetime) -> None:
    """Refuse a slot that another active memory holds at some time of the new one's.

    One that waits holds none, and the same said again is no conflict. Two without an end are told apart by the
    database; this looks at those that end.
    """
    if new.slot is None or new.suspect or new.confidence < CONFIDENCE_FLOOR:
        return
    start = new.valid_from or now
    holders = _own(subject, new).filter(Q(valid_to__isnull=True) | Q(valid_to__gt=start), slot=new.slot)
    if new.valid_to is not None:
        holders = holders.filter(valid_from__lt=new.valid_to)
    if old is not None:
        holders = holders.exclude(id=old.id)
    elif new.valid_to is None and new.memory_type == names.SEMANTIC:
        holders = holders.exclude(id__in=_same(_own(subject, new), new).values("id"))
    holder = holders.first()
    if holder is not None:
        raise SlotTaken(f"slot: holds the active memory {holder.id}; name it in supersedes_id")


def _own(subject: Subject | None, new: NewMemory) -> "QuerySet[Memory]":
    """Return the active memories of the same subject about the same entity, in the same compartments."""
    return Memory.objects.filter(
        Q(subject_id=subject.id) if subject else Q(subject_id__isnull=True),
        Q(entity_id=new.entity_id) if new.entity_id else Q(entity_id__isnull=True),
        status=Status.ACTIVE,
        compartments=list(new.compartments or ()),
    )


def _same(own: "QuerySet[Memory]", new: NewMemory) -> "QuerySet[Memory]":
    """Return the fact that says the same in the same words and has no end, if there is one."""
    return own.filter(
        content_hash=text_hash(new.text),
        memory_type=names.SEMANTIC,
        agent_id=new.agent_id,
        valid_to__isnull=True,
    )


def _to_supersede(scope: Scope, subject: Subject | None, new: NewMemory) -> Memory | None:
    """Return the locked memory whose place the new one takes, or None."""
    if new.supersedes_id is None:
        return None
    if new.confidence < CONFIDENCE_FLOOR:
        raise NotSure(f"confidence: below {CONFIDENCE_FLOOR} a memory is pending and cannot supersede another")
    if new.suspect:
        raise NotSure(
            "text: tells the memory what to do, from a source of little trust; it is quarantined and cannot"
            " supersede another"
        )
    try:
        old = lock_open(scope, new.supersedes_id)
    except Memory.DoesNotExist as error:
        raise UnknownReference("supersedes_id") from error
    if old.subject_id != (subject.id if subject else None):
        raise UnknownReference("supersedes_id", "is another user's memory, or shared; name the same user_id")
    if old.memory_type != new.memory_type:
        raise UnknownReference("supersedes_id", f"is of type {old.memory_type}, not {new.memory_type}")
    return old


def _said_again(
    scope: Scope, subject: Subject | None, new: NewMemory, old: Memory | None, error: IntegrityError, *, now: datetime
) -> Learned:
    """Answer a refused insert: the same text is one memory, said once more; a taken slot is a conflict."""
    own = _own(subject, new)
    met = conflict_of(error)
    same = _same(own, new).first() if new.memory_type == names.SEMANTIC else None
    # The database may name the slot before the text; the same text is no rival for it.
    if isinstance(met, SlotTaken) and (same is None or old is not None):
        holder = own.filter(slot=new.slot, valid_to__isnull=True).first()
        named = f" {holder.id}" if holder is not None else ""
        raise SlotTaken(f"slot: holds the active memory{named}; name it in supersedes_id") from error
    if met is None:
        raise error
    said = same or _same(own, new).get()
    if old is not None:
        raise TextTaken(f"text: memory {said.id} says the same and is active; supersede by it, or say it otherwise")
    Memory.objects.filter(id=said.id).update(frequency=F("frequency") + 1)
    add_sources(said, new, superseded=None, now=now)
    raise_trust(said, new.trust or Trust.WEB)
    _note(scope, "memory.repeated", [said.id], subject, new, now=now)
    return Learned(memory=find_memory(scope, said.id), created=False, trusted=said.trust)


def _note(
    scope: Scope, kind: str, ids: list[UUID], subject: Subject | None, new: NewMemory, *, now: datetime
) -> None:
    data = {"memory_type": new.memory_type}
    if kind == "memory.superseded":
        data["contradiction"] = str(new.contradiction)
    note_event(scope, kind, object_ids=ids, subject=subject, data=data, now=now)
