"""Seal events: number and chain them per tenant, gapless, in order of insertion.

Writers insert events with seq null and never wait for one another; this gives the numbers afterwards. What commits
late is sealed late: its number comes after those given meanwhile, so who has read up to a number has missed nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from tenants.chain import GENESIS, canonical, link
from tenants.models import ChainHead, Event
from tenants.services.event_body import event_body
from tenants.services.open_scope import open_operator

BATCH_EVENTS = 1_000
LOCK = 0x6D6E656D  # "mnem": the sealers' own class of advisory locks; the second key is the tenant's


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """Numbers newly given to one tenant (None: the site's own chain): first to last, both included."""

    tenant_id: UUID | None
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The place of one event in its chain."""

    id: UUID
    seq: int
    prev_hash: bytes
    hash: bytes


def seal_events(*, limit: int = BATCH_EVENTS, now: datetime) -> list[Sealed]:
    """Seal at most `limit` events of each tenant that has unsealed ones, and return what was sealed.

    Each tenant is one transaction; a tenant that another sealer has in hand is passed over. Any number of sealers
    may run, and one that is killed leaves nothing half done.
    """
    with open_operator():
        waiting = list(Event.objects.filter(seq__isnull=True).values_list("tenant_id", flat=True).distinct())
    sealed = (_seal(tenant_id, limit=limit, now=now) for tenant_id in waiting)
    return [done for done in sealed if done is not None]


def _seal(tenant_id: UUID | None, *, limit: int, now: datetime) -> Sealed | None:
    """Seal the oldest unsealed events of one tenant; None, when another sealer is at it or was quicker.

    The lock is taken before the head is read, and is held until the commit: so each sealer reads what the
    one before it wrote.
    """
    with open_operator():
        if not _locked(tenant_id):
            return None
        chain = Event.objects.filter(tenant_id=tenant_id)
        head = ChainHead.objects.filter(tenant_id=tenant_id).first()
        last = head.seq if head is not None else 0
        events = list(chain.filter(seq__isnull=True).order_by("at", "id")[:limit])
        if not events:
            return None
        links = _chained(events, after=last, prev_hash=bytes(head.hash) if head is not None else GENESIS)
        _write(links)
        ChainHead.objects.update_or_create(
            tenant_id=tenant_id,
            defaults={"seq": links[-1].seq, "hash": links[-1].hash, "sealed_at": now},
        )
    return Sealed(tenant_id=tenant_id, first=last + 1, last=links[-1].seq)


def _chained(events: Sequence[Event], *, after: int, prev_hash: bytes) -> list[Link]:
    links = []
    for seq, event in enumerate(events, start=after + 1):
        own = link(prev_hash, canonical(event_body(event, seq=seq)))
        links.append(Link(id=event.id, seq=seq, prev_hash=prev_hash, hash=own))
        prev_hash = own
    return links


def _locked(tenant_id: UUID | None) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", [LOCK, str(tenant_id)])
        row = cursor.fetchone()
    return bool(row and row[0])


def _write(links: Sequence[Link]) -> None:
    columns = [[getattr(one, name) for one in links] for name in ("id", "seq", "prev_hash", "hash")]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE tenants_event AS event SET seq = linked.seq, prev_hash = linked.prev_hash, hash = linked.hash
            FROM unnest(%s::uuid[], %s::bigint[], %s::bytea[], %s::bytea[]) AS linked (id, seq, prev_hash, hash)
            WHERE event.id = linked.id
            """,
            columns,
        )
