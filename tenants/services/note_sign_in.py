"""Note on the site's chain who of the staff came in, went, or changed a password: a sign-in is of no tenant."""

from datetime import datetime

from tenants.scope import ActorKind
from tenants.services.note_event import EventData
from tenants.services.note_refusal import hashed_address
from tenants.services.note_site_event import note_site_event


def note_signed_in(staff_id: int, *, address: str, request_id: str, now: datetime) -> None:
    """Note a sign-in. address: from where; only its keyed hash is kept."""
    data: EventData = {"staff_id": staff_id, "from": hashed_address(address)}
    note_site_event("staff.signed_in", data=data, actor=ActorKind.USER, request_id=request_id, now=now)


def note_signed_out(staff_id: int, *, request_id: str, now: datetime) -> None:
    """Note a sign-out."""
    note_site_event(
        "staff.signed_out", data={"staff_id": staff_id}, actor=ActorKind.USER, request_id=request_id, now=now
    )


def note_password_changed(staff_id: int, *, request_id: str, now: datetime) -> None:
    """Note that a user chose another password."""
    note_site_event(
        "staff.password_changed", data={"staff_id": staff_id}, actor=ActorKind.USER, request_id=request_id, now=now
    )
