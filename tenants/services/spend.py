"""Spend: what a key does counts against its quotas, over all processes together.

Quotas protect a site from a key that runs wild; they keep no tenants apart. So they fail open: while the counters are
away everything passes, and an alarm says so.
"""

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.db import DatabaseError

from backends.counters import Cost
from backends.errors import Unavailable
from tenants.scope import ActorKind, Quotas, Scope, ScopeDenied
from tenants.services.counters import counters
from tenants.services.note_site_event import note_site_event
from tenants.services.tally import tally

log = logging.getLogger(__name__)

QUOTA_MAX = 2_147_483_647


class Quota(StrEnum):
    """What is counted, named as the field of a key that limits it."""

    REQUESTS = "requests_a_minute"
    TURNS = "turns_a_day"
    RECALLS = "recalls_a_minute"


_WINDOWS_S = {Quota.REQUESTS: 60, Quota.TURNS: 86_400, Quota.RECALLS: 60}


class QuotaSpent(Exception):
    """A quota of the key is used up. retry_after_s: whole seconds until there is some again, at least 1."""

    def __init__(self, quota: Quota, *, limit: int, units: int, retry_after_s: int) -> None:
        self.quota, self.retry_after_s = quota, retry_after_s
        said = f"Wait {retry_after_s} s and send it again, or ask whoever manages keys for a higher quota."
        if units > limit:
            said = f"This request alone needs {units}; send less at a time."
        super().__init__(f"The key's quota {quota} is {limit}, and used up. {said}")


def spend(scope: Scope, quota: Quota, units: int = 1, *, now: datetime) -> None:
    """Count units of a key's quota.

    Raises QuotaSpent, when too little is left; nothing is counted then. A user of the admin and the system have none.
    """
    limit = _limit(scope.quotas, quota)
    if scope.key_id is None or not limit or not units:
        return
    window_s = _WINDOWS_S[quota]
    try:
        full = counters().spend(
            [Cost(counter=_counter(scope.key_id, quota), units=units, limit=limit, window_s=window_s)]
        )
    except Unavailable as error:
        _alarm(error, now=now)
        return
    if full is not None:
        retry_after_s = max(math.ceil(full.retry_after_s), 1) if units <= limit else window_s
        raise QuotaSpent(quota, limit=limit, units=units, retry_after_s=retry_after_s)


@contextmanager
def spending(scope: Scope, quota: Quota, units: int, *, now: datetime) -> Iterator[None]:
    """Count units for the block, and give them back when it fails. Raises QuotaSpent."""
    spend(scope, quota, units, now=now)
    try:
        yield
    except BaseException:
        give_back(scope, quota, units)
        raise


def give_back(scope: Scope, quota: Quota, units: int) -> None:
    """Put back what was counted for nothing."""
    if scope.key_id is None or not _limit(scope.quotas, quota):
        return
    try:
        counters().give_back(_counter(scope.key_id, quota), units)
    except Unavailable:
        return  # nobody counts now, or the window ends with so many too many


def counters_of(key_id: object) -> list[str]:
    """Return the names of all counters of a key."""
    return [_counter(key_id, quota) for quota in Quota]


def quotas_said(scope: Scope, said: object) -> Quotas:
    """Return quotas as an object's fields say them; where nothing is said, the scope's own."""
    given = {str(quota): getattr(said, quota) for quota in Quota}
    return Quotas(**{name: getattr(scope.quotas, name) if value is None else value for name, value in given.items()})


def refuse_wider_quotas(scope: Scope, quotas: Quotas) -> None:
    """Raise ScopeDenied for quotas of a new key that are wider than the key that issues it; staff may give any."""
    if scope.actor is not ActorKind.KEY:
        return
    for quota in Quota:
        own, wanted = _limit(scope.quotas, quota), _limit(quotas, quota)
        if own and (not wanted or wanted > own):
            raise ScopeDenied(f"{quota}: a key can give at most its own quota, {own}")


def _counter(key_id: object, quota: Quota) -> str:
    return f"mneme:quota:{{{key_id}}}:{quota}"


def _limit(quotas: Quotas, quota: Quota) -> int:
    """Return a limit, the site's where none is given; 0 = none."""
    own: int | None = getattr(quotas, quota)
    limit: int = getattr(settings, f"QUOTA_{quota.upper()}") if own is None else own
    return limit


def _alarm(error: Unavailable, *, now: datetime) -> None:
    """Say that quotas do not hold now, in the log and as an event: for the first request, the tenth, and so on."""
    number = tally(None, "quotas-away", by="quotas")
    if number is not None:
        log.error("quotas do not hold: %s", error)
        try:
            note_site_event("quota.unavailable", data={"times": number}, now=now)
        except DatabaseError:
            log.exception("an event was not noted")
