"""Verify a chain of events: every hash anew, from the first event to the head."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from tenants.chain import GENESIS, canonical, link
from tenants.models import ChainHead, Event
from tenants.services.event_body import event_body
from tenants.services.open_scope import open_operator

CHUNK = 2_000
FAULTS_MAX = 100
"""Faults told of one chain; whoever has so many need not know the rest."""

Heads = Mapping[int, bytes]
"""Number -> hash, as written down elsewhere before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What does not agree. code: changed, unlinked, missing, tail_cut, head_differs, head_missing, not_as_signed."""

    seq: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found of one chain. events: how many sealed ones were read."""

    tenant_id: UUID | None
    events: int
    faults: tuple[Fault, ...]


def chains() -> list[UUID | None]:
    """Return whose chains there are; None is the site's own."""
    with open_operator():
        held = set(Event.objects.filter(seq__isnull=False).values_list("tenant_id", flat=True).distinct())
        held |= set(ChainHead.objects.values_list("tenant_id", flat=True))
    return sorted(held, key=str)


def verify_chain(tenant_id: UUID | None, *, signed: Heads | None = None) -> Verdict:
    """Read a whole chain and return what does not agree.

    signed: heads of this chain written down before, which must still be what they were.
    """
    faults: list[Fault] = []
    known = dict(signed or {})
    count, last, prev_hash = 0, 0, GENESIS
    with open_operator():
        head = ChainHead.objects.filter(tenant_id=tenant_id).first()
        for event in _sealed(tenant_id):
            seq = event.seq or 0
            faults += [Fault(seq=gap, code="missing") for gap in range(last + 1, min(seq, last + 1 + FAULTS_MAX))]
            if bytes(event.prev_hash or b"") != prev_hash:
                faults.append(Fault(seq=seq, code="unlinked"))
            own = bytes(event.hash or b"")
            if own != link(bytes(event.prev_hash or b""), canonical(event_body(event, seq=seq))):
                faults.append(Fault(seq=seq, code="changed"))
            if seq in known and known.pop(seq) != own:
                faults.append(Fault(seq=seq, code="not_as_signed"))
            count, last, prev_hash = count + 1, seq, own
            if len(faults) >= FAULTS_MAX:
                break
        else:
            faults += _at_the_end(head, last, prev_hash)
            faults += [Fault(seq=seq, code="tail_cut") for seq in sorted(known) if seq > last]
    return Verdict(tenant_id=tenant_id, events=count, faults=tuple(faults[:FAULTS_MAX]))


def _sealed(tenant_id: UUID | None) -> Iterator[Event]:
    rows = Event.objects.filter(tenant_id=tenant_id, seq__isnull=False).order_by("seq")
    return rows.iterator(chunk_size=CHUNK)


def _at_the_end(head: ChainHead | None, last: int, last_hash: bytes) -> list[Fault]:
    if head is None:
        return [Fault(seq=last, code="head_missing")] if last else []
    if head.seq != last:
        return [Fault(seq=head.seq, code="tail_cut" if head.seq > last else "head_differs")]
    return [] if bytes(head.hash) == last_hash else [Fault(seq=last, code="head_differs")]
