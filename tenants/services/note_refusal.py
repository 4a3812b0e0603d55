"""Note that somebody was refused: on the tenant's chain where it is known whose, else on the site's.

Repeated refusals are counted, not noted one by one (see tally); a log that cannot be written changes no answer.
"""

import hashlib
import hmac
import logging
from dataclasses import replace
from datetime import datetime
from ipaddress import IPv6Address, ip_address
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError

from tenants.models import ApiKey
from tenants.scope import ActorKind, Scope
from tenants.services.create_tenant import system_scope
from tenants.services.note_event import EventData, note_event
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_scope
from tenants.services.tally import tally

log = logging.getLogger(__name__)


def note_refused_key(key: ApiKey | None, reason: str, *, address: str, request_id: str, now: datetime) -> None:
    """Note that a key was not accepted. address: from where; only its keyed hash is kept."""
    origin = hashed_address(address)
    number = tally(key.tenant_id if key else None, f"{reason}:{key.id if key else ''}:{origin}")
    if number is None:
        return
    data: EventData = {"reason": reason, "from": origin, "attempts": number}
    if key is None:
        _note(None, "key.refused", [], data, request_id=request_id, now=now)
    else:
        scope = replace(system_scope(key.tenant_id), request_id=request_id)
        _note(scope, "key.refused", [key.id], data, request_id=request_id, now=now)


def note_refusal(scope: Scope, kind: str, *, code: str, what: str, now: datetime) -> None:
    """Note that a caller was refused what it asked for. code: why. what: the method and the route, without ids."""
    actor = scope.key_id or scope.staff_id
    number = tally(scope.tenant_id, f"{kind}:{code}:{what}:{actor}", by=actor)
    if number is not None:
        data: EventData = {"reason": code, "asked": what, "attempts": number}
        _note(scope, kind, [scope.key_id] if scope.key_id else [], data, request_id=scope.request_id, now=now)


def note_refused_sign_in(username: str, *, locked: bool, address: str, request_id: str, now: datetime) -> None:
    """Note on the site's chain that a sign-in to the admin failed; the name is kept as a keyed hash only."""
    origin, name = hashed_address(address), keyed_hash(username)
    number = tally(None, f"sign-in:{name}:{origin}", by="sign-in")
    if number is not None:
        data: EventData = {"name": name, "from": origin, "locked": locked, "attempts": number}
        _note(None, "staff.sign_in_failed", [], data, request_id=request_id, now=now)


def note_refused_tenant(staff_id: int, *, request_id: str, now: datetime) -> None:
    """Note on the site's chain that a user asked for a tenant it is no member of, or that is none."""
    number = tally(None, f"tenant:{staff_id}", by=staff_id)
    if number is not None:
        data: EventData = {"reason": "no_member", "staff_id": staff_id, "attempts": number}
        _note(None, "access.refused", [], data, request_id=request_id, now=now)


def hashed_address(address: str) -> str:
    """Return what stands for an address in the log; an IPv6 address for its /64, which is one customer's."""
    try:
        given = ip_address(address)
    except ValueError:
        return keyed_hash(address)
    if isinstance(given, IPv6Address):
        mapped = given.ipv4_mapped
        return keyed_hash(str(mapped) if mapped else str(IPv6Address(int(given) >> 64 << 64)))
    return keyed_hash(str(given))


def keyed_hash(text: str) -> str:
    """Return HMAC-SHA-256 of a text under SECRET_KEY, 16 bytes of it in hex: comparable, and not to be guessed."""
    key = f"mneme.event-log:{settings.SECRET_KEY}".encode()
    return hmac.digest(key, text.encode(errors="surrogatepass"), hashlib.sha256)[:16].hex()


def _note(
    scope: Scope | None, kind: str, object_ids: list[UUID], data: EventData, *, request_id: str, now: datetime
) -> None:
    try:
        if scope is None:
            note_site_event(kind, data=data, actor=ActorKind.SYSTEM, request_id=request_id, now=now)
        else:
            with open_scope(replace(scope, subject_id=None)):
                note_event(scope, kind, object_ids=object_ids, data=data, now=now)
    except DatabaseError:
        log.exception("%s was not noted", kind)
