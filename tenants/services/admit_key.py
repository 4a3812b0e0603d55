"""Admit a caller by its API key: authenticate, note a refusal or the use, and slow down whoever guesses."""

import logging
import math
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection

from backends.errors import Unavailable
from tenants.models import ApiKey
from tenants.scope import Scope
from tenants.services.authenticate import KeyRefused, TenantSuspended, authenticate
from tenants.services.counters import counters
from tenants.services.note_event import note_event
from tenants.services.note_refusal import hashed_address, note_refused_key
from tenants.services.open_scope import open_scope

log = logging.getLogger(__name__)

USE_NOTED_EVERY = timedelta(minutes=5)


class TooManyRefused(Exception):
    """Too many keys from this address were not accepted."""

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(
            f"Too many keys from your address were not accepted. Wait {retry_after_s} s; a live key works."
        )
        self.retry_after_s = retry_after_s


def admit_key(secret: str, *, address: str, request_id: str, now: datetime) -> Scope:
    """Return the scope of a live API key.

    A live key is never refused for what others at its address have tried. Raises KeyRefused; TooManyRefused, in its
    place, when the address has tried too many; TenantSuspended.
    """
    try:
        scope, key = authenticate(secret, request_id=request_id, now=now)
    except KeyRefused as refused:
        note_refused_key(refused.key, refused.reason, address=address, request_id=request_id, now=now)
        _refuse_guesser(address)
        raise
    except TenantSuspended as suspended:
        note_refused_key(suspended.key, "tenant_suspended", address=address, request_id=request_id, now=now)
        raise
    _note_use(scope, key, now=now)
    return scope


def _refuse_guesser(address: str) -> None:
    """Raise TooManyRefused, when an address has shown too many dead keys within a minute."""
    limit: int = settings.REFUSED_KEYS_A_MINUTE
    if not limit:
        return
    try:
        tried, left_s = counters().count(f"mneme:refused:{hashed_address(address)}", window_s=60)
    except Unavailable:
        return
    if tried > limit:
        raise TooManyRefused(max(math.ceil(left_s), 1))


def _note_use(scope: Scope, key: ApiKey, *, now: datetime) -> None:
    """Note when the key was used last, and its first use of a day as an event; never waits, and fails nobody."""
    if key.last_used_at is not None and now - key.last_used_at < USE_NOTED_EVERY:
        return
    try:
        with open_scope(scope), connection.cursor() as cursor:
            cursor.execute(
                "SELECT tenants_touch_key(%s, %s, make_interval(secs => %s))",
                [key.id, now, USE_NOTED_EVERY.total_seconds()],
            )
            row = cursor.fetchone()
            if row and row[0]:
                note_event(scope, "key.used", object_ids=[key.id], now=now)
    except DatabaseError:
        log.exception("the use of key %s was not noted", key.prefix)
