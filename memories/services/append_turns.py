"""Append turns to one session: the archive, the memories, and the context of the neighbours."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import F, Value
from django.db.models.functions import Concat

from backends.search import names
from memories.instructions import instructs
from memories.lines import CONTEXT_BEFORE, CONTEXT_LINE_MAX_LENGTH, context, line
from memories.models import Memory, Session, Turn
from memories.models.memory import Status
from memories.roles import Role
from memories.trust import Trust
from tenants.models import Subject
from tenants.scope import Scope
from tenants.services.note_event import note_event
from tenants.services.policy_of import policy_of

if TYPE_CHECKING:
    from memories.services.record import NewTurn

SPEAKERS_MAX = 200
"""Speakers that a session knows by name; whoever else speaks in it is found by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where turns go: the caller's session_id, and compartments, sorted; in others it is another session."""

    session_id: str
    compartments: list[str]


class SubjectGone(Exception):
    """The user of a write is being erased at this moment."""


def append_turns(
    scope: Scope,
    subject: Subject | None,
    place: Place,
    turns: Sequence["NewTurn"],
    *,
    now: datetime,
) -> list[tuple[Turn, UUID | None]]:
    """Append turns in order; return each with the id of its memory. The scope is open, in a transaction.

    1. Lock the session's row, which orders concurrent writers and gives the positions.
    2. Archive the turns.
    3. Make a memory of each user turn, with the lines around it; in quarantine where it instructs and somebody else
    wrote it.
    4. Give the turn that was last so far its following line.
    """
    session, start = _locked_session(scope, subject, place, turns, now=now)
    last = list(session_turns(session, start))
    archived = Turn.objects.bulk_create(
        _turn(scope, session, start + index, new, now=now) for index, new in enumerate(turns)
    )
    lines = [line(new.author, new.content) for new in turns]
    before = [line(turn.speaker or turn.role, turn.content) for turn in last]
    held_back = _held_back(turns)
    memories = Memory.objects.bulk_create(
        _memory(
            turn,
            new.author,
            [*before, *lines[:index]],
            lines[index:],
            status=Status.QUARANTINED if index in held_back else Status.ACTIVE,
            now=now,
        )
        for index, (turn, new) in enumerate(zip(archived, turns, strict=True))
        if new.role == Role.USER
    )
    if last:
        following = "\n" + lines[0][:CONTEXT_LINE_MAX_LENGTH]
        Memory.objects.filter(turn_id=last[-1].id, memory_type=names.EPISODIC).update(
            context=Concat(F("context"), Value(following))
        )
    memory_of = {memory.turn_id: memory.id for memory in memories}
    if held_back:
        ids = [memory.id for memory in memories if memory.status == Status.QUARANTINED]
        data = {"memory_type": names.EPISODIC}
        note_event(scope, "memory.quarantined", object_ids=ids, subject=subject, data=data, now=now)
    return [(turn, memory_of.get(turn.id)) for turn in archived]


def _held_back(turns: Sequence["NewTurn"]) -> set[int]:
    """Return the places of turns that instruct and are not the user's own words, unless the policy lets them pass."""
    found = {
        index
        for index, new in enumerate(turns)
        if new.role == Role.USER and new.trusted.rank < Trust.USER.rank and instructs(new.content)
    }
    return set() if found and policy_of()["trust.recall_quarantined"] else found


def session_turns(session: Session, end: int) -> list[Turn]:
    """Return the last turns before a position, oldest first, as many as a context looks back."""
    newest = Turn.objects.filter(session_id=session.id, position__lt=end, position__gte=end - CONTEXT_BEFORE)
    return list(newest.order_by("position"))


def _locked_session(
    scope: Scope, subject: Subject | None, place: Place, turns: Sequence["NewTurn"], *, now: datetime
) -> tuple[Session, int]:
    """Return the session, made if missing, with its row locked and its count moved on; and the first position."""
    known_by = {
        "tenant_id": scope.tenant_id,
        "subject": subject,
        "external_id": place.session_id,
        "compartments": place.compartments,
    }
    Session.objects.bulk_create([Session(**known_by, created_at=now)], ignore_conflicts=True)
    session = Session.objects.select_for_update(no_key=True).get(**known_by)
    start = session.turn_count
    session.turn_count = start + len(turns)
    new = {turn.author for turn in turns if turn.role == Role.USER} - set(session.speakers)
    session.speakers = [*session.speakers, *sorted(new)][:SPEAKERS_MAX]
    moved = Session.objects.filter(id=session.id).update(turn_count=session.turn_count, speakers=session.speakers)
    if not moved:
        raise SubjectGone("the user is being erased; send it again to begin anew")
    return session, start


def _turn(scope: Scope, session: Session, position: int, new: "NewTurn", *, now: datetime) -> Turn:
    return Turn(
        tenant_id=scope.tenant_id,
        subject_id=session.subject_id,
        session_id=session.id,
        compartments=session.compartments,
        position=position,
        role=new.role,
        speaker=new.speaker,
        agent_id=new.agent_id,
        trust=new.trusted,
        content=new.content,
        content_hash=hashlib.sha256(new.content.encode()).digest(),
        metadata=dict(new.metadata),
        occurred_at=new.occurred_at,
        recorded_at=now,
    )


def _memory(
    turn: Turn,
    author: str,
    before: Sequence[str],
    own_and_after: Sequence[str],
    *,
    status: Status,
    now: datetime,
) -> Memory:
    return Memory(
        tenant_id=turn.tenant_id,
        subject_id=turn.subject_id,
        session_id=turn.session_id,
        turn_id=turn.id,
        compartments=turn.compartments,
        agent_id=turn.agent_id,
        memory_type=names.EPISODIC,
        author=author,
        trust=turn.trust,
        text=turn.content,
        metadata=turn.metadata,
        context=context(before, own_and_after[0], own_and_after[1:]),
        content_hash=turn.content_hash,
        valid_from=turn.occurred_at,
        recorded_at=now,
        status=status,
        accepted_at=now if status == Status.ACTIVE else None,
    )
