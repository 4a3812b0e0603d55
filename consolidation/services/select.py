"""Select: the next episodes that no run has read yet."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Right, Trim

from backends.search import names
from consolidation.models import Run
from consolidation.services.runs import scope_of
from memories.models import Memory, Turn
from memories.models.memory import Status
from memories.roles import Role
from memories.trust import Trust
from tenants.services.open_scope import open_scope

PASS_EPISODES = 50
USER = "user"
ASKS = ("?", "？")
READ = (Status.ACTIVE, Status.QUARANTINED)
"""The states of episodes that are read: of one in quarantine somebody is told, and nothing is believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An episode with its turn's words. who: the speaker's name, where several people speak in the conversation.

    answers: the assistant had asked something just before.
    """

    memory_id: UUID
    turn_id: UUID
    session_id: UUID
    position: int
    content: str
    occurred_at: datetime
    who: str
    trust: Trust = Trust.USER
    quarantined: bool = False
    answers: bool = False


def select(run: Run, *, limit: int = PASS_EPISODES) -> list[Episode]:
    """Return episodes of the run's user in its compartments, in the order in which they were said."""
    with open_scope(scope_of(run)):
        rows = (
            Memory.objects.filter(
                subject_id=run.subject_id,
                compartments=run.compartments,
                memory_type=names.EPISODIC,
                status__in=READ,
                consolidated_by__isnull=True,
            )
            .select_related("turn", "session")
            .annotate(before=_before("session_id", "turn__position"))
            .order_by("valid_from", "id")[:limit]
        )
        return [
            replace(episode_of(row), answers=str(getattr(row, "before", "") or "").endswith(ASKS)) for row in rows
        ]


def answers(turn: Turn) -> bool:
    """Say whether a turn answers what the assistant asked just before. The scope is open."""
    before = Turn.objects.filter(id=turn.id).annotate(before=_before("session_id", "position"))
    return str(before.values_list("before", flat=True).first() or "").endswith(ASKS)


def episode_of(memory: Memory) -> Episode:
    """Return an episode of a row with its turn and session."""
    turn, session = memory.turn, memory.session
    if turn is None or session is None:
        raise ValueError("an episode has its turn and session")
    speakers = {speaker for speaker in session.speakers if speaker != USER}
    return Episode(
        memory_id=memory.id,
        turn_id=turn.id,
        session_id=session.id,
        position=turn.position,
        content=turn.content,
        occurred_at=turn.occurred_at,
        who=turn.speaker if len(speakers) > 1 else "",
        trust=Trust(turn.trust),
        quarantined=memory.status == Status.QUARANTINED,
    )


def _before(session: str, position: str) -> Subquery:
    """Return how what the assistant said just before a turn ends. session, position: the columns of the turn."""
    said = Turn.objects.filter(session_id=OuterRef(session), position=OuterRef(position) - 1, role=Role.ASSISTANT)
    return Subquery(said.annotate(end=Right(Trim("content"), 1)).values("end")[:1])
