"""Nights: whose day is to be read once more now."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection

from consolidation.models.run import Reason, State
from consolidation.services.due import Due
from consolidation.services.forget_jobs import last_quiet_hour
from tenants.services.create_tenant import system_scope
from tenants.services.live_tenants import live_tenants
from tenants.services.open_scope import open_operator, open_scope
from tenants.services.policy_of import policy_of

DAY = timedelta(days=1)
# Whose day was read already, or is being read, is left alone; a run that failed, or whose worker died, is no reading.
_DAYS = """
    SELECT e.subject_id, e.compartments, count(*)
    FROM memories_memory e JOIN tenants_subject s ON s.tenant_id = e.tenant_id AND s.id = e.subject_id
    WHERE e.tenant_id = %(tenant)s AND e.memory_type = 'episodic' AND e.status = 'active'
        AND e.consolidated_by IS NOT NULL AND e.recorded_at >= %(begin)s AND e.recorded_at < %(end)s
        AND s.erased_at IS NULL
        AND NOT EXISTS (
            SELECT FROM consolidation_run r
            WHERE r.tenant_id = e.tenant_id AND r.subject_id = e.subject_id AND r.compartments = e.compartments
                AND r.reason = %(night)s AND r.started_at >= %(end)s
                AND (r.state = %(done)s OR r.state = %(running)s AND r.lease_until > %(now)s)
        )
    GROUP BY 1, 2 ORDER BY 1, 2
"""


def nights(*, now: datetime) -> list[tuple[Due, datetime]]:
    """Return whose day has ended with a quiet hour and was not read again, with when it ended.

    The day before the latest quiet hour; a night on which no worker ran is caught up as long as it is the latest one.
    Only the worker's login may ask.
    """
    found = []
    for tenant_id in live_tenants():
        with open_scope(system_scope(tenant_id)):
            policy = policy_of()
        if not policy["consolidation.nightly"]:
            continue
        end = last_quiet_hour(int(policy.number("forgetting.hour")), now=now)
        asked: dict[str, UUID | datetime | str] = {
            "tenant": tenant_id,
            "begin": end - DAY,
            "end": end,
            "night": Reason.NIGHT,
            "done": State.DONE,
            "running": State.RUNNING,
            "now": now,
        }
        with open_operator(), connection.cursor() as cursor:
            cursor.execute(_DAYS, asked)
            rows = cursor.fetchall()
        found += [
            (
                Due(
                    tenant_id=tenant_id,
                    subject_id=subject_id,
                    compartments=tuple(compartments),
                    episodes=episodes,
                    reason=Reason.NIGHT,
                ),
                end,
            )
            for subject_id, compartments, episodes in rows
        ]
    return found
