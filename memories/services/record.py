"""Record turns: archive them, make their episodes, note the outbox; all or nothing."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from backends.embedders.base import Embedder
from backends.errors import BackendError
from backends.search import names
from memories.lines import dated, line
from memories.models import Memory, MemoryVector, Turn
from memories.roles import Role
from memories.services.append_turns import Place, append_turns
from memories.services.compartments import own_compartments
from memories.services.ensure_subject import ensure_subject
from memories.services.idempotency import AnswerGone, Idempotency, remember, replayed_ids
from memories.services.room import require_room
from memories.services.wake import wake
from memories.trust import OF_ROLES, Trust
from tenants.models import Subject
from tenants.scope import Ability, Scope
from tenants.services.find_subject import find_subject
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn as a caller sends it; user_id None means shared by all users of the tenant. trust None = by its role."""

    user_id: str | None
    session_id: str
    agent_id: str | None
    role: Role
    speaker: str
    content: str
    occurred_at: datetime
    metadata: Mapping[str, Any]
    compartments: tuple[str, ...] = ()
    trust: Trust | None = None

    @property
    def trusted(self) -> Trust:
        """Return how far it is trusted."""
        return self.trust or OF_ROLES[self.role]

    @property
    def author(self) -> str:
        """Return who said it: the speaker's name where given, else the role."""
        return self.speaker or self.role.value


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A turn in the archive, and the memory made of it (None for an assistant's or a tool's turn)."""

    turn: Turn
    memory_id: UUID | None
    session_id: str
    user_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What record answers; replayed: the same Idempotency-Key had recorded it before."""

    turns: tuple[RecordedTurn, ...]
    replayed: bool


def record(
    scope: Scope,
    turns: Sequence[NewTurn],
    *,
    embedder: Embedder,
    idempotency: Idempotency | None = None,
    in_batch: bool = False,
    now: datetime,
) -> Recorded:
    """Archive turns in the order given and make a memory of each user turn.

    1. Embed a single short user turn in process where the site wants that; the worker embeds everything else.
    2. In one transaction: the idempotency key, then per user and session the turns, memories and events.
    3. After the commit, wake sync.
    in_batch: whether the request may bring many turns and names them by number: it is refused while the tenant's
    backlog is full, but for an answer that was given before.
    Raises ScopeDenied, when the key may not write turns or belongs to another user; FieldDenied, when it does not
    hold a compartment; KeyReused or AnswerGone from memories.services.idempotency; BacklogFull from
    memories.services.room.
    """
    scope.require(Ability.TURNS_WRITE)
    scope.require_kind(names.EPISODIC)
    for index, turn in enumerate(turns):
        own_compartments(
            scope, turn.compartments, field=f"turns.{index}.compartments" if in_batch else "compartments"
        )
    vector = _early_vector(turns, embedder)
    with open_scope(scope):
        earlier = replayed_ids(scope, idempotency, now=now)
        if earlier is not None:
            return Recorded(turns=_replayed(earlier), replayed=True)
        if in_batch:
            require_room()
        recorded = _append_all(scope, turns, now=now)
        if vector is not None and recorded[0].memory_id is not None:
            MemoryVector.objects.create(
                tenant_id=scope.tenant_id,
                subject_id=recorded[0].turn.subject_id,
                memory_id=recorded[0].memory_id,
                model=embedder.model,
                vector=vector,
            )
        remember(scope, idempotency, [item.turn.id for item in recorded])
        transaction.on_commit(lambda: wake("memories.sync"))
    return Recorded(turns=tuple(recorded), replayed=False)


def _replayed(turn_ids: Sequence[UUID]) -> tuple[RecordedTurn, ...]:
    turns = load_recorded(turn_ids)
    if len(turns) != len(turn_ids):
        raise AnswerGone("Idempotency-Key: what it recorded was erased since; use a new one to record anew")
    return turns


def load_recorded(turn_ids: Sequence[UUID]) -> tuple[RecordedTurn, ...]:
    """Return archived turns in the order of their ids' list; what is gone meanwhile is left out. A scope is open."""
    found = {turn.id: turn for turn in Turn.objects.filter(id__in=turn_ids).select_related("session", "subject")}
    memory_ids = dict(
        Memory.objects.filter(turn_id__in=turn_ids, memory_type=names.EPISODIC).values_list("turn_id", "id")
    )
    return tuple(
        RecordedTurn(
            turn=turn,
            memory_id=memory_ids.get(turn.id),
            session_id=turn.session.external_id,
            user_id=turn.subject.external_id if turn.subject else None,
        )
        for turn in (found[turn_id] for turn_id in turn_ids if turn_id in found)
    )


def _append_all(scope: Scope, turns: Sequence[NewTurn], *, now: datetime) -> list[RecordedTurn]:
    """Append every user's and session's turns, compartments by compartments.

    In one order of users, sessions and compartments, so that two batches never wait for each other in a circle.
    """
    if scope.subject_id is not None:
        for user_id in {turn.user_id for turn in turns}:
            find_subject(scope, user_id)  # refuses another user's name; left out or not, it is the same user

    def place(index: int) -> tuple[str, str, str, list[str]]:
        turn = turns[index]
        kept_in = sorted({*turn.compartments})
        if scope.subject_id is not None:
            return ("", "", turn.session_id, kept_in)
        return ("" if turn.user_id is None else "u", turn.user_id or "", turn.session_id, kept_in)

    by_index: dict[int, RecordedTurn] = {}
    for (*_, kept_in), group in groupby(sorted(range(len(turns)), key=place), key=place):
        indexes = list(group)
        first = turns[indexes[0]]
        subject = ensure_subject(scope, first.user_id, now=now)
        narrowed = scope.narrowed_to(subject.id) if subject else scope
        with open_scope(narrowed):
            place_of = Place(session_id=first.session_id, compartments=kept_in)
            appended = append_turns(narrowed, subject, place_of, [turns[index] for index in indexes], now=now)
            _note(narrowed, subject, appended, now=now)
        for index, (turn, memory_id) in zip(indexes, appended, strict=True):
            by_index[index] = RecordedTurn(
                turn=turn,
                memory_id=memory_id,
                session_id=first.session_id,
                user_id=subject.external_id if subject else None,
            )
    return [by_index[index] for index in range(len(turns))]


def _note(
    scope: Scope, subject: Subject | None, appended: Sequence[tuple[Turn, UUID | None]], *, now: datetime
) -> None:
    ids = [turn.id for turn, _ in appended] + [memory_id for _, memory_id in appended if memory_id]
    note_event(scope, "turn.recorded", object_ids=ids, subject=subject, data={"turns": len(appended)}, now=now)


def _early_vector(turns: Sequence[NewTurn], embedder: Embedder) -> list[float] | None:
    """Return the vector of a single short user turn, or None where the worker shall make it."""
    if len(turns) != 1 or not embedder.in_process:
        return None
    turn = turns[0]
    if turn.role != Role.USER or len(turn.content) > settings.EMBED_IN_REQUEST_MAX_CHARS:
        return None
    text = dated(line(turn.author, turn.content), turn.occurred_at)
    try:
        return [float(x) for x in embedder.passages([text])[0]]
    except BackendError as error:
        log.warning("record leaves the vector to the worker: %s: %s", type(error).__name__, error)
        return None
