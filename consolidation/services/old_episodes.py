"""Old episodes: conversations whose episodes are held so weakly that a summary can stand for them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from memories.models import Memory
from memories.models.memory import Status
from memories.services.strengths import FIGURES, figured
from tenants.policy import Policy

GROUPS = 20
EPISODES_MAX = 40
"""Of one summary; a longer conversation gets several, in order."""
_FADED = f"""
    SELECT m.subject_id, m.compartments, m.session_id, array_agg(m.id ORDER BY m.valid_from, m.id)
    FROM (
        {FIGURES}
        WHERE m.tenant_id = %(tenant)s AND (%(subject)s::uuid IS NULL OR m.subject_id = %(subject)s)
            AND m.subject_id IS NOT NULL AND m.memory_type = 'episodic' AND m.status = 'active'
            AND m.consolidated_by IS NOT NULL AND NOT m.on_hold AND m.rebuild_due_at IS NULL
            AND m.importance < %(keep_from)s AND m.session_id <> ALL (%(without)s::uuid[])
    ) AS held JOIN memories_memory m ON m.id = held.id
    WHERE held.strength < %(below)s
    GROUP BY 1, 2, 3 HAVING count(*) >= %(least)s
    ORDER BY 1, 3 LIMIT %(limit)s
"""  # noqa: S608 - statements of ours


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Episodes of one conversation, in the order in which they were said."""

    subject_id: UUID
    compartments: tuple[str, ...]
    session_id: UUID
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One episode with its turn's words."""

    memory_id: UUID
    turn_id: UUID
    author: str
    content: str
    occurred_at: datetime
    importance: float
    agent_id: str | None


def old_conversations(
    tenant_id: UUID,
    subject_id: UUID | None,
    policy: Policy,
    *,
    without: Collection[UUID] = (),
    limit: int = GROUPS,
    now: datetime,
) -> list[Conversation]:
    """Return what is to be summarised next; none where the policy says so. A scope is open.

    without: sessions that are passed over.
    """
    if policy["forgetting.summarise_below"] is None:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            _FADED,
            {
                **figured(policy, now),
                "tenant": tenant_id,
                "subject": subject_id,
                "keep_from": policy.number("forgetting.keep_from"),
                "below": policy.number("forgetting.summarise_below"),
                "least": int(policy.number("forgetting.summary_episodes")),
                "without": list(without),
                "limit": limit,
            },
        )
        return [
            Conversation(
                subject_id=row[0],
                compartments=tuple(row[1]),
                session_id=row[2],
                memory_ids=tuple(row[3][:EPISODES_MAX]),
            )
            for row in cursor.fetchall()
        ]


def said_in(memory_ids: Sequence[UUID]) -> list[Said]:
    """Return those of the episodes that are active, in the order in which they were said. A scope is open."""
    rows = Memory.objects.filter(id__in=memory_ids, status=Status.ACTIVE).select_related("turn")
    return [said(row) for row in rows.order_by("valid_from", "id") if row.turn is not None]


def said(row: Memory) -> Said:
    """Return an episode with its turn's words."""
    if row.turn is None:
        raise ValueError("an episode has its turn")
    return Said(
        memory_id=row.id,
        turn_id=row.turn.id,
        author=row.author,
        content=row.turn.content,
        occurred_at=row.turn.occurred_at,
        importance=row.importance,
        agent_id=row.agent_id,
    )
