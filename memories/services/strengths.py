"""How strongly memories are held: importance as use has shown it, faded since the last access.

strength = importance x 2 ^ (-days since the last access / half-life of the kind). Use raises the importance that a
memory was written with, by a bounded share on a scale of logarithms: being found often must not feed itself.
An access is a recall, or being said once more. All of it is computed when it is asked for: no access rewrites a row.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from backends.search import names
from memories.models.memory import Status
from memories.weighing import USES_FULL
from tenants.policy import Policy

HOT, WARM, COLD = "hot", "warm", "cold"

FIGURES = """
    SELECT m.id, m.subject_id, m.memory_type, m.status, used.importance, used.accessed_at,
        CASE WHEN life.days IS NULL THEN used.importance
            ELSE used.importance * power(2, -least(used.idle_days / life.days, 1000)) END AS strength
    FROM memories_memory m
        LEFT JOIN memories_memoryuse u ON u.tenant_id = m.tenant_id AND u.memory_id = m.id
        CROSS JOIN LATERAL (
            SELECT greatest(m.recorded_at, u.last_recalled_at,
                (SELECT max(edge.recorded_at) FROM memories_source edge
                 WHERE edge.tenant_id = m.tenant_id AND edge.memory_id = m.id)) AS accessed_at
        ) AS last
        CROSS JOIN LATERAL (
            SELECT last.accessed_at,
                greatest(extract(epoch FROM %(at)s - last.accessed_at) / 86400, 0)::float8 AS idle_days,
                m.importance + (1 - m.importance) * %(use)s
                    * least(ln(1 + coalesce(u.recalls, 0) + m.frequency - 1) / ln(1 + %(uses_full)s), 1)::float8
                    AS importance
        ) AS used
        CROSS JOIN LATERAL (
            SELECT CASE m.memory_type WHEN 'episodic' THEN %(episodic)s::float8
                WHEN 'semantic' THEN %(semantic)s::float8
                WHEN 'procedural' THEN %(procedural)s::float8 END AS days
        ) AS life
"""
"""Of each memory that the open scope sees; figured(policy, at) gives what it asks for."""


def figured(policy: Policy, at: datetime) -> dict[str, Any]:
    """Return the parameters of FIGURES."""
    lives = {kind: policy[f"forgetting.half_life_days.{kind}"] for kind in names.MEMORY_KINDS}
    return {**lives, "at": at, "use": policy.number("forgetting.use"), "uses_full": USES_FULL}


def tiers_of(memory_ids: Collection[UUID], policy: Policy, *, at: datetime) -> Mapping[UUID, str]:
    """Return the tier of each memory, as use before this moment has it. The scope is open.

    hot: active and held strongly. warm: active, and faded; in the engine whole, ranked down by age and lack of use.
    cold: archived; the engine has a stub.
    """
    if not memory_ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, status, strength FROM ({FIGURES} WHERE m.id = ANY (%(ids)s)) AS held",  # noqa: S608 - ours
            {**figured(policy, at), "ids": list(memory_ids)},
        )
        warm_below = policy.number("forgetting.warm_below")
        return {
            memory_id: COLD if status == Status.ARCHIVED else WARM if strength < warm_below else HOT
            for memory_id, status, strength in cursor.fetchall()
        }
