"""Due: whose episodes are to be consolidated now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection

from consolidation.models.run import Reason
from tenants.policy import Policy
from tenants.services.create_tenant import system_scope
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.policy_of import policy_of

_WAITING = """
    SELECT tenant_id, subject_id, compartments, sum(episodes)::bigint, min(first), min(last)
    FROM (
        SELECT e.tenant_id, e.subject_id, e.compartments, count(*) AS episodes, min(e.recorded_at) AS first,
            max(e.recorded_at) AS last
        FROM memories_memory e JOIN tenants_subject s ON s.tenant_id = e.tenant_id AND s.id = e.subject_id
            JOIN tenants_tenant t ON t.id = e.tenant_id
        WHERE e.memory_type = 'episodic' AND e.status IN ('active', 'quarantined') AND e.consolidated_by IS NULL
            AND e.subject_id IS NOT NULL
            AND s.erased_at IS NULL AND t.suspended_at IS NULL AND t.offboarding_at IS NULL
            AND (%(tenant)s::uuid IS NULL OR e.tenant_id = %(tenant)s)
            AND (%(subject)s::uuid IS NULL OR e.subject_id = %(subject)s)
        GROUP BY e.tenant_id, e.subject_id, e.compartments, e.session_id
    ) AS conversation
    GROUP BY 1, 2, 3 ORDER BY 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A user's episodes in one set of compartments, and why they are due."""

    tenant_id: UUID
    subject_id: UUID
    compartments: tuple[str, ...]
    episodes: int
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits of a user in one set of compartments.

    first: when the oldest of it arrived. quiet_since: when the last of the conversation arrived that has been quiet
    for longest.
    """

    tenant_id: UUID
    subject_id: UUID
    compartments: tuple[str, ...]
    episodes: int
    first: datetime
    quiet_since: datetime

    def due(self, reason: Reason) -> Due:
        """Return it as due."""
        return Due(
            tenant_id=self.tenant_id,
            subject_id=self.subject_id,
            compartments=self.compartments,
            episodes=self.episodes,
            reason=reason,
        )


def due(*, now: datetime) -> list[Due]:
    """Return what is due, as each tenant's policy says.

    After so many turns, when a conversation has gone quiet, after a day at most; or at once. What belongs to no user
    is nobody's statement about himself and is never due. Only the worker's login may ask.
    """
    policies: dict[UUID, Policy] = {}
    found = []
    for waiting in _waiting(None, None):
        if waiting.tenant_id not in policies:
            with open_scope(system_scope(waiting.tenant_id)):
                policies[waiting.tenant_id] = policy_of()
        reason = _reason(waiting, policies[waiting.tenant_id], now=now)
        if reason is not None:
            found.append(waiting.due(reason))
    return found


def asked(tenant_id: UUID | None, subject_id: UUID | None = None) -> list[Due]:
    """Return everything that waits, of one tenant or user where named, for somebody asked for it."""
    return [waiting.due(Reason.ASKED) for waiting in _waiting(tenant_id, subject_id)]


def _reason(waiting: Waiting, policy: Policy, *, now: datetime) -> Reason | None:
    if policy["consolidation.per_turn"]:
        return Reason.TURN
    if waiting.episodes >= policy.number("consolidation.after_turns"):
        return Reason.COUNT
    quiet = policy["consolidation.quiet_minutes"]
    if quiet is not None and now - waiting.quiet_since >= timedelta(minutes=float(quiet)):
        return Reason.QUIET
    if now - waiting.first >= timedelta(hours=policy.number("consolidation.after_hours")):
        return Reason.AGE
    return None


def _waiting(tenant_id: UUID | None, subject_id: UUID | None) -> list[Waiting]:
    with open_operator(), connection.cursor() as cursor:
        cursor.execute(_WAITING, {"tenant": tenant_id, "subject": subject_id})
        return [
            Waiting(
                tenant_id=row[0],
                subject_id=row[1],
                compartments=tuple(row[2]),
                episodes=row[3],
                first=row[4],
                quiet_since=row[5],
            )
            for row in cursor.fetchall()
        ]
