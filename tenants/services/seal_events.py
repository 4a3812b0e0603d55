"""Seal events: number them per tenant, gapless, in order of insertion.

Writers insert events with seq null and never wait for one another; this gives the numbers afterwards. What commits
late is sealed late: its number comes after those given meanwhile, so who has read up to a number has missed nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.db.models import Max

from tenants.models import Event
from tenants.services.open_scope import open_operator

BATCH_EVENTS = 1_000
LOCK = 0x6D6E656D  # "mnem": the sealers' own class of advisory locks; the second key is the tenant's


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """Numbers newly given to one tenant (None: the site's own chain): first to last, both included."""

    tenant_id: UUID | None
    first: int
    last: int


def seal_events(*, limit: int = BATCH_EVENTS) -> list[Sealed]:
    """Seal at most `limit` events of each tenant that has unsealed ones, and return what was sealed.

    Each tenant is one transaction; a tenant that another sealer has in hand is passed over. Any number of sealers
    may run, and one that is killed leaves nothing half done.
    """
    with open_operator():
        waiting = list(Event.objects.filter(seq__isnull=True).values_list("tenant_id", flat=True).distinct())
    sealed = (_seal(tenant_id, limit=limit) for tenant_id in waiting)
    return [done for done in sealed if done is not None]


def _seal(tenant_id: UUID | None, *, limit: int) -> Sealed | None:
    """Seal the oldest unsealed events of one tenant; None, when another sealer is at it or was quicker.

    The lock is taken before the last number is read, and is held until the commit: so each sealer reads what the
    one before it wrote.
    """
    with open_operator():
        if not _locked(tenant_id):
            return None
        chain = Event.objects.filter(tenant_id=tenant_id)
        last: int = chain.aggregate(last=Max("seq"))["last"] or 0
        ids = list(chain.filter(seq__isnull=True).order_by("at", "id").values_list("id", flat=True)[:limit])
        if not ids:
            return None
        _number(ids, after=last)
    return Sealed(tenant_id=tenant_id, first=last + 1, last=last + len(ids))


def _locked(tenant_id: UUID | None) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", [LOCK, str(tenant_id)])
        row = cursor.fetchone()
    return bool(row and row[0])


def _number(ids: Sequence[UUID], *, after: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tenants_event AS event SET seq = %s + numbered.place
            FROM unnest(%s::uuid[]) WITH ORDINALITY AS numbered (id, place)
            WHERE event.id = numbered.id
            """,
            [after, list(ids)],
        )
