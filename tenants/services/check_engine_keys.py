"""Check the engine's own list of credentials against ours: each must be of a live key, and read what that key may.

Credentials are minted on need, so one that is revoked wrongly costs its next request some milliseconds.
"""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from uuid import UUID

from backends.search.base import SearchEngine
from backends.search.reach import HeldCredential
from tenants.models import ApiKey, EngineCredential
from tenants.services.authenticate import is_live, scope_of
from tenants.services.engine_credential import RENEW_BEFORE, reach_of
from tenants.services.note_event import EventData
from tenants.services.note_site_event import note_site_event
from tenants.services.open_scope import open_operator

log = logging.getLogger(__name__)

CHUNK = 500
YOUNG = timedelta(minutes=10)
"""A credential that the engine has and we not yet may just have been minted."""
EVENTS_MAX = 1_000
_KEPT = frozenset({"ends_soon"})
"""Noted, and no fault: such a one is renewed at its next use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is wrong with one credential.

    code: stray (no row of ours), dead (its key is revoked or expired), differs (it may read something else than was
    asked), ended (the engine kept it beyond its end), ends_soon, lost (our row names one that the engine has not).
    """

    engine_id: str
    code: str
    key_id: UUID | None = None
    row_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """How many credentials the engine holds, and what was found. repaired: how many faults are mended."""

    held: int
    found: tuple[Finding, ...]
    repaired: int


def check_engine_keys(engine: SearchEngine, *, repair: bool, now: datetime) -> Checked:
    """Compare, note every finding on the site's chain, and, where asked to, revoke what should not be.

    The engine is asked outside any transaction. Only the worker's login may. Raises as the engine's credentials and
    revoke do.
    """
    held, found, seen = 0, list[Finding](), set[str]()
    listed = engine.credentials()
    while chunk := list(islice(listed, CHUNK)):
        held += len(chunk)
        seen |= {one.id for one in chunk}
        found += _faults(engine, chunk, now=now)
    found += _lost(engine, seen, now=now)
    wrong = [finding for finding in found if finding.code not in _KEPT]
    if repair:
        engine.revoke([finding.engine_id for finding in wrong if finding.code != "lost"])
        _forget(wrong)
    _note(engine, found, held=held, repaired=len(wrong) if repair else 0, now=now)
    return Checked(held=held, found=tuple(found), repaired=len(wrong) if repair else 0)


def _faults(engine: SearchEngine, chunk: Sequence[HeldCredential], *, now: datetime) -> Iterator[Finding]:
    with open_operator():
        rows = {
            row.engine_id: row
            for row in EngineCredential.objects.filter(
                engine=engine.name, engine_id__in=[one.id for one in chunk]
            ).defer("secret")
        }
        keys = ApiKey.objects.defer("secret_hash").in_bulk({row.api_key_id for row in rows.values()})
    for one in chunk:
        row = rows.get(one.id)
        code = _code(one, row, keys, now=now)
        if code is not None:
            yield Finding(
                engine_id=one.id, code=code, key_id=row.api_key_id if row else None, row_id=row.id if row else None
            )


def _code(
    one: HeldCredential, row: EngineCredential | None, keys: Mapping[UUID, ApiKey], *, now: datetime
) -> str | None:
    """Return what is wrong with a credential, the worst first; None if nothing is."""
    if one.expires_at is not None and one.expires_at <= now:
        return "ended"
    if row is None:
        return "stray" if now - one.created_at > YOUNG else None
    key = keys.get(row.api_key_id)
    if key is None or not is_live(key, now=now):
        return "dead"
    scope = scope_of(key, request_id="")
    if row.subject_id is not None:
        scope = replace(scope, subject_id=row.subject_id)
    if one.reach != reach_of(scope) or one.expires_at is None:
        return "differs"
    return "ends_soon" if one.expires_at - RENEW_BEFORE <= now else None


def _lost(engine: SearchEngine, seen: set[str], *, now: datetime) -> Iterator[Finding]:
    """Yield our rows of credentials that the engine does not list; a row younger than the list may be missing."""
    with open_operator():
        rows = list(
            EngineCredential.objects.filter(engine=engine.name, created_at__lt=now - YOUNG)
            .values_list("engine_id", "api_key_id", "id")
            .order_by("id")
        )
    for engine_id, key_id, row_id in rows:
        if engine_id not in seen:
            yield Finding(engine_id=engine_id, code="lost", key_id=key_id, row_id=row_id)


def _forget(findings: Sequence[Finding]) -> None:
    with open_operator():
        rows = [finding.row_id for finding in findings if finding.row_id is not None]
        EngineCredential.objects.filter(id__in=rows).delete()


def _note(engine: SearchEngine, found: Sequence[Finding], *, held: int, repaired: int, now: datetime) -> None:
    for finding in found[:EVENTS_MAX]:
        log.warning("engine credential %s is %s", finding.engine_id, finding.code)
        note_site_event(
            "engine.key_found",
            object_ids=[finding.key_id] if finding.key_id else [],
            data={"engine": engine.name, "code": finding.code, "engine_id": finding.engine_id},
            now=now,
        )
    counts = Counter(finding.code for finding in found)
    data: EventData = {"engine": engine.name, "held": held, "repaired": repaired, **counts}
    note_site_event("engine.keys_checked", data=data, now=now)
