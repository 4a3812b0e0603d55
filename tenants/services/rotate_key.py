"""Rotate an API key: a new one with the same rights, and an end for the old one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from backends.errors import BackendError
from backends.search.base import SearchEngine
from tenants.scope import Ability, Scope
from tenants.services.authenticate import is_live, quotas_of
from tenants.services.issue_key import IssuedKey, issue_key
from tenants.services.lock_actor import lock_actor
from tenants.services.manageable import manageable_keys
from tenants.services.note_event import note_event
from tenants.services.open_scope import open_scope
from tenants.services.revoke_key import revoke_key

MAX_OVERLAP = timedelta(days=7)
OVERLAPS: Sequence[timedelta] = (timedelta(0), timedelta(hours=1), timedelta(hours=24), MAX_OVERLAP)


class KeyNotLive(Exception):
    """The key is revoked or expired, or its user is being erased: issue a new one instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RotatedKey:
    """The new key, and when the old one ends.

    engine_confirmed: False, when the old key ended at once but the search engine did not confirm that its
    credentials are gone; the site refuses the key all the same, and revoking it again asks the engine again.
    """

    issued: IssuedKey
    old_ends_at: datetime
    engine_confirmed: bool


def rotate_key(
    scope: Scope,
    key_id: UUID,
    *,
    overlap: timedelta,
    new_key_id: UUID | None = None,
    engine: SearchEngine,
    now: datetime,
) -> RotatedKey:
    """Issue a key with the rights of another, which ends after the overlap.

    1. In one transaction: the new key, and the end of the old one (never later than it was), which without an overlap
    is revoked.
    2. Without an overlap the engine then revokes what it minted for the old key.
    Raises as replace_key does.
    """
    issued, old_ends_at = replace_key(scope, key_id, overlap=overlap, new_key_id=new_key_id, now=now)
    confirmed = bool(overlap) or end_old_key(scope, key_id, engine=engine, now=now)
    return RotatedKey(issued=issued, old_ends_at=old_ends_at, engine_confirmed=confirmed)


def replace_key(
    scope: Scope, key_id: UUID, *, overlap: timedelta, new_key_id: UUID | None = None, now: datetime
) -> tuple[IssuedKey, datetime]:
    """Issue a key with the rights of another; return it, and when the old one ends.

    overlap: 0 to 7 days. The new key lives as long as the old one was given.
    Raises ScopeDenied, when the scope may not manage keys or lacks an ability of the key; ApiKey.DoesNotExist;
    KeyNotLive; AlreadyIssued; ValueError, when the overlap is out of range.
    """
    scope.require(Ability.KEYS_MANAGE)
    if not timedelta(0) <= overlap <= MAX_OVERLAP:
        raise ValueError("overlap: 0 to 7 days")
    with open_scope(scope):
        lock_actor(scope, also=[key_id], now=now)
        old = (
            manageable_keys(scope)
            .select_for_update(no_key=True, of=("self",))
            .select_related("subject")
            .get(id=key_id)
        )
        erasing = old.subject_id is not None and old.subject is None
        if erasing or not is_live(old, now=now):
            raise KeyNotLive("The key is revoked or expired, or its user is being erased: issue a new one instead.")
        issued = issue_key(
            scope,
            name=old.name,
            subject=old.subject,
            abilities=[Ability(ability) for ability in old.abilities],
            kinds=old.kinds,
            compartments=old.compartments,
            hidden_fields=old.hidden_fields,
            purpose=old.purpose,
            quotas=quotas_of(old),
            template=old.template,
            expires_at=now + (old.expires_at - old.created_at) if old.expires_at else None,
            key_id=new_key_id,
            now=now,
        )
        old.expires_at = min(old.expires_at or now + overlap, now + overlap)
        if not overlap:
            # Not by the moment alone: another rotation under way may have begun a moment before.
            old.revoked_at = now
            note_event(scope, "key.revoked", object_ids=[old.id], now=now)
        old.save(update_fields=["expires_at", "revoked_at"])
        data = {"overlap_s": int(overlap.total_seconds())}
        note_event(scope, "key.rotated", object_ids=[old.id, issued.key.id], data=data, now=now)
    return issued, old.expires_at


def end_old_key(scope: Scope, key_id: UUID, *, engine: SearchEngine, now: datetime) -> bool:
    """Revoke a key that was replaced; say whether the engine confirmed: the new secret must not be lost over it."""
    try:
        revoke_key(scope, key_id, engine=engine, now=now)
    except BackendError:
        return False
    return True
