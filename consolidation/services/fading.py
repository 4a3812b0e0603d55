"""Fading: which memories are held so weakly that they would be archived, and which archived ones would be deleted."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from uuid import UUID

from django.db import connection

from memories.services.strengths import FIGURES, figured
from tenants.policy import Policy

BEFORE_ALL = datetime(1, 1, 1, tzinfo=UTC)
_COLUMNS = "id, subject_id, memory_type, importance, accessed_at, strength"
_OWN = """m.tenant_id = %(tenant)s AND m.subject_id IS NOT NULL
            AND (%(subject)s::uuid IS NULL OR m.subject_id = %(subject)s)"""
# What nobody has read yet is read first; what is shared has no counts of use (memories.services.note_use).
_FADED = f"""
    SELECT {_COLUMNS} FROM (
        {FIGURES}
        WHERE {_OWN} AND m.status = 'active' AND NOT m.on_hold AND m.rebuild_due_at IS NULL
            AND m.importance < %(keep_from)s AND (m.memory_type <> 'episodic' OR m.consolidated_by IS NOT NULL)
    ) AS held
    WHERE strength < %(below)s LIMIT %(limit)s
"""  # noqa: S608 - statements of ours
_LOST = f"""
    SELECT {_COLUMNS} FROM (
        {FIGURES}
        WHERE {_OWN} AND m.status = 'archived' AND NOT m.on_hold AND m.closed_at <= %(until)s
            AND NOT memories_is_needed(m.id)
    ) AS held
    WHERE accessed_at <= %(until)s LIMIT %(limit)s
"""  # noqa: S608 - statements of ours
_TOUCHED = f"""
    SELECT DISTINCT subject_id FROM (
        {FIGURES}
        WHERE {_OWN} AND m.subject_id > %(after)s AND NOT m.on_hold
            AND (m.status = 'active' AND m.importance < %(keep_from)s
                OR m.status = 'archived' AND m.closed_at <= %(until)s)
    ) AS held
    WHERE status = 'archived' OR strength < %(below)s ORDER BY subject_id
"""  # noqa: S608 - statements of ours
FADED, UNUSED = "faded", "archived_and_unused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One memory and how strongly it is held. importance: as use has shown it. why: a code."""

    id: UUID
    subject_id: UUID
    memory_type: str
    importance: float
    accessed_at: datetime
    strength: float
    why: str

    @classmethod
    def of(cls, row: tuple[Any, ...], why: str) -> Self:
        """Return a row of one of the statements above."""
        names = ("id", "subject_id", "memory_type", "importance", "accessed_at", "strength")
        return cls(**dict(zip(names, row, strict=True)), why=why)


def touched(tenant_id: UUID, policy: Policy, *, after: UUID, now: datetime) -> list[UUID]:
    """Return the users of whom anything may be summarised, archived or deleted, by id, after one of them.

    One look at everything, so that no later one needs to go beyond one user. A scope is open.
    """
    bounds = [policy[f"forgetting.{name}"] for name in ("archive_below", "summarise_below")]
    days = policy["forgetting.delete_after_days"]
    asked: dict[str, Any] = {
        "below": max((float(bound) for bound in bounds if bound is not None), default=0.0),
        "keep_from": policy.number("forgetting.keep_from"),
        "until": now - timedelta(days=float(days)) if days is not None else BEFORE_ALL,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            _TOUCHED, {**figured(policy, now), **asked, "tenant": tenant_id, "subject": None, "after": after}
        )
        return [row[0] for row in cursor.fetchall()]


def faded(tenant_id: UUID, subject_id: UUID | None, policy: Policy, *, limit: int, now: datetime) -> list[Figure]:
    """Return memories to archive, a user's or the tenant's; none where the policy says so. A scope is open."""
    if policy["forgetting.archive_below"] is None:
        return []
    asked = {"below": policy.number("forgetting.archive_below"), "keep_from": policy.number("forgetting.keep_from")}
    return _figures(_FADED, tenant_id, subject_id, policy, asked, why=FADED, limit=limit, now=now)


def lost(tenant_id: UUID, subject_id: UUID | None, policy: Policy, *, limit: int, now: datetime) -> list[Figure]:
    """Return archived memories to delete; none where the policy says so. A scope is open."""
    if policy["forgetting.delete_after_days"] is None:
        return []
    until = now - timedelta(days=policy.number("forgetting.delete_after_days"))
    return _figures(_LOST, tenant_id, subject_id, policy, {"until": until}, why=UNUSED, limit=limit, now=now)


def _figures(
    statement: str,
    tenant_id: UUID,
    subject_id: UUID | None,
    policy: Policy,
    asked: dict[str, Any],
    *,
    why: str,
    limit: int,
    now: datetime,
) -> list[Figure]:
    with connection.cursor() as cursor:
        cursor.execute(
            statement,
            {**figured(policy, now), **asked, "tenant": tenant_id, "subject": subject_id, "limit": limit},
        )
        return [Figure.of(row, why) for row in cursor.fetchall()]
